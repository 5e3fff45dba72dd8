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
import io.parley.loadtest.study.DatabaseOptions;
import io.parley.loadtest.study.Resources;

/**
 * The {@link JoinServer} with one of its strategies.
 */
final class JoinServerTarget extends JoinTarget {

	private final int port;

	JoinServerTarget(int port) {
		this.port = port;
	}

	static JoinServerTarget start(JoinStrategy strategy, DatabaseOptions database, Resources open) {
		Path folder = open.add(new ScratchFolder()).path();
		int port = KitProcess.freePort();
		open.add(KitProcess.start("server of " + strategy.title, JoinServerCommand.NAME, "--strategy", strategy.name(),
				"--port", Integer.toString(port), "--folder", folder.toString(), "--url", database.url(folder),
				"--username", database.username, "--password", database.password));
		return new JoinServerTarget(port);
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

}
