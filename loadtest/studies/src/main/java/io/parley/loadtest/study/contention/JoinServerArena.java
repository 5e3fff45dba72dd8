package io.parley.loadtest.study.contention;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import io.parley.loadtest.local.KitProcess;
import io.parley.loadtest.local.ScratchFolder;

/**
 * The {@link JoinServer} with one of the five ways of joining.
 */
final class JoinServerArena extends Arena {

	private final int port;

	private final AutoCloseable server;

	/**
	 * Uses a running server.
	 * @param server closed with this arena
	 */
	JoinServerArena(int port, AutoCloseable server) {
		this.port = port;
		this.server = server;
	}

	/**
	 * Starts a server in a separate process, with its data in a temporary folder.
	 */
	static JoinServerArena start(Way way, ContentionOptions options) {
		ScratchFolder scratch = new ScratchFolder();
		Path folder = scratch.path();
		int port = KitProcess.freePort();
		try {
			KitProcess server = KitProcess.start("server of " + way.title, JoinServerCommand.NAME, "--way", way.name(),
					"--port", Integer.toString(port), "--folder", folder.toString(), "--url", options.url(folder),
					"--username", options.username, "--password", options.password);
			return new JoinServerArena(port, () -> {
				server.close();
				scratch.close();
			});
		}
		catch (RuntimeException ex) {
			scratch.close();
			throw ex;
		}
	}

	@Override
	String newRoom(int places) throws Exception {
		String room = UUID.randomUUID().toString();
		ask(HttpRequest.newBuilder(uri(room + "?" + places)).PUT(BodyPublishers.noBody()).build());
		return room;
	}

	@Override
	HttpRequest joining(String room, int user) {
		return HttpRequest.newBuilder(uri(room + "/" + user)).POST(BodyPublishers.noBody()).build();
	}

	@Override
	Answer read(HttpResponse<String> response) {
		return switch (response.statusCode()) {
			case JoinServer.JOINED -> Answer.JOINED;
			case JoinServer.FULL -> Answer.FULL;
			default -> Answer.ERROR;
		};
	}

	@Override
	Set<Integer> members(String room) throws Exception {
		return ask(HttpRequest.newBuilder(uri(room)).build()).lines().map(Integer::valueOf).collect(Collectors.toSet());
	}

	private URI uri(String path) {
		return URI.create("http://127.0.0.1:" + this.port + "/" + path);
	}

	@Override
	public void close() {
		super.close();
		try {
			this.server.close();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
