package io.parley.loadtest.study.peers;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.parley.loadtest.local.Checkout;
import io.parley.loadtest.local.ChildProcess;
import io.parley.loadtest.local.LocalServer;
import io.parley.loadtest.study.Resources;
import io.parley.loadtest.study.client.StudyUsers;
import io.parley.loadtest.study.peers.wire.ParleyWire;
import io.parley.loadtest.user.Account;
import io.parley.loadtest.user.RestApi;

/**
 * A chat-server of this checkout in one broker mode.
 *
 * @param mode such as {@code bus}
 */
record ParleyPeer(String mode) implements Peer {

	private static final int SESSIONS_PER_USER = 10;

	@Override
	public String name() {
		return "parley/" + this.mode;
	}

	@Override
	public boolean isParley() {
		return true;
	}

	@Override
	public Promises promises() {
		return new Promises("yes, on disk", "each room", "yes, from any position");
	}

	@Override
	public PeerServer start(PeersCommand options, Resources open) {
		List<String> settings = List.of("chat.broker.mode=" + this.mode, "chat.security.jwt.access-ttl=3h");
		Program program = Program.find();
		LocalServer server = open.add(LocalServer.start(program.jar(), program.jvmOptions(), settings));
		Crowd crowd = Crowd.create(server.url(), options);
		URI url = URI.create("ws" + server.url().resolve("/ws").toString().substring("http".length()));
		return new PeerServer(url, "v12.stomp", server.pid(),
				new PeerServer.Start("of this checkout",
						"java " + String.join(" ", ChildProcess.JVM) + " -jar chat-server.jar",
						String.join("; ", settings) + "; a file of H2, the embedded log; " + program.description()),
				(session, link) -> new ParleyWire(link, crowd.user(session).token(), crowd.room(session),
						"s" + session));
	}

	/**
	 * What is started: the same as by {@code ./chat run}, which uses a cache from the
	 * third start after a build on.
	 */
	private record Program(Path jar, List<String> jvmOptions, String description) {

		static Program find() {
			Path jar = Checkout.chatServer();
			Path cache = Checkout.quickStart().resolve("app.aot");
			if (cache.toFile().lastModified() > jar.toFile().lastModified()) {
				return new Program(Checkout.quickStart().resolve("app/chat-server.jar"),
						List.of("-XX:AOTCache=" + cache, "-Xlog:aot=error,aot+codecache+stubs=error"),
						"with the cache of ./chat run for quick starts");
			}
			return new Program(jar, List.of(),
					"without the cache for quick starts, which ./chat run makes at its second start");
		}

	}

	/**
	 * The users and rooms of the sessions.
	 *
	 * @param users those of each room one after the other
	 */
	private record Crowd(List<String> rooms, List<Account> users, int usersPerRoom) {

		/**
		 * Signs up the users and lets each join one room.
		 */
		static Crowd create(URI url, PeersCommand options) {
			int usersPerRoom = Math.ceilDiv(Math.ceilDiv(options.sessions, options.rooms), SESSIONS_PER_USER);
			List<String> rooms = new ArrayList<>();
			try (RestApi api = new RestApi(url)) {
				List<Account> users = StudyUsers.signUp(api, usersPerRoom * options.rooms);
				for (int room = 0; room < options.rooms; room++) {
					List<Account> members = users.subList(room * usersPerRoom, (room + 1) * usersPerRoom);
					String id = api.createRoom(members.getFirst().token(), "room " + room, Math.max(2, usersPerRoom));
					members.stream().skip(1).forEach((user) -> api.join(user.token(), id, user.username()));
					rooms.add(id);
				}
				return new Crowd(rooms, users, usersPerRoom);
			}
		}

		String room(int session) {
			return this.rooms.get(session % this.rooms.size());
		}

		Account user(int session) {
			int room = session % this.rooms.size();
			int inRoom = session / this.rooms.size();
			return this.users.get(room * this.usersPerRoom + inRoom / SESSIONS_PER_USER);
		}

	}

}
