package io.parley.loadtest.study.contention;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.parley.loadtest.local.KitProcess;

/** The {@link JoinServer} in one of the five ways, in a process of its own. */
final class JoinServerArena extends Arena {

	private final int port = KitProcess.freePort();

	private final Path folder;

	private final KitProcess server;

	JoinServerArena(Way way, ContentionOptions options) {
		try {
			this.folder = Files.createTempDirectory("parley-");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.server = KitProcess.start(JoinServerCommand.NAME, "--way", way.name(), "--port",
				Integer.toString(this.port), "--folder", this.folder.toString(), "--url", options.url(this.folder),
				"--username", options.username, "--password", options.password);
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
		this.server.close();
		try (Stream<Path> files = Files.walk(this.folder)) {
			files.sorted(Comparator.reverseOrder()).forEach((file) -> file.toFile().delete());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
