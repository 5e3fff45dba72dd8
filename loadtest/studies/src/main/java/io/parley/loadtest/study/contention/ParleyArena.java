package io.parley.loadtest.study.contention;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import io.parley.loadtest.study.client.StudyUsers;
import io.parley.loadtest.study.client.StudyUsers.User;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The rooms of Parley. The creator of a room takes one place in addition to the places
 * for joining users.
 */
final class ParleyArena extends Arena {

	private static final JsonMapper JSON = JsonMapper.shared();

	private final URI url;

	private final AutoCloseable server;

	private final StudyUsers users;

	private final User owner;

	private final List<User> joiners;

	/**
	 * Signs up the users at a server.
	 * @param server closed with this arena
	 */
	ParleyArena(URI url, AutoCloseable server, int users) {
		this.url = url;
		this.server = server;
		this.users = new StudyUsers(url, users + 1);
		this.owner = this.users.all().getFirst();
		this.joiners = this.users.all().subList(1, users + 1);
	}

	@Override
	String newRoom(int places) {
		return this.users.createRoom(this.owner, "contention", places + 1);
	}

	@Override
	HttpRequest joining(String room, int user) {
		User joiner = this.joiners.get(user);
		return request("/api/rooms/" + room + "/members", joiner).header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString("{\"username\":\"%s\"}".formatted(joiner.name())))
			.build();
	}

	@Override
	Answer read(HttpResponse<String> response) {
		return switch (response.statusCode()) {
			case 201 -> Answer.JOINED;
			case 409 -> JSON.readTree(response.body()).path("code").asString("").equals("room-full") ? Answer.FULL
					: Answer.ERROR;
			default -> Answer.ERROR;
		};
	}

	@Override
	Set<Integer> members(String room) throws Exception {
		JsonNode answer = JSON.readTree(ask(request("/api/rooms/" + room, this.owner).build()));
		Set<String> names = new HashSet<>();
		answer.path("members").forEach((member) -> names.add(member.path("username").asString("")));
		if (answer.path("memberCount").asInt() != names.size()) {
			throw new IllegalStateException(
					"Parley counts " + answer.path("memberCount") + " members and names " + names.size());
		}
		Set<Integer> members = new HashSet<>();
		IntStream.range(0, this.joiners.size())
			.filter((n) -> names.contains(this.joiners.get(n).name()))
			.forEach(members::add);
		return members;
	}

	private HttpRequest.Builder request(String path, User user) {
		return HttpRequest.newBuilder(this.url.resolve(path)).header("Authorization", "Bearer " + user.token());
	}

	@Override
	public void close() {
		super.close();
		this.users.close();
		try {
			this.server.close();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
