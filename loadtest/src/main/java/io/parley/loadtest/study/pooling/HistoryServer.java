package io.parley.loadtest.study.pooling;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import io.parley.loadtest.StudyUsers;
import io.parley.loadtest.StudyUsers.User;
import io.parley.loadtest.local.LocalServer;

/** A chat-server with one room that has a history. */
final class HistoryServer implements AutoCloseable {

	private static final String TEXT = "What people write to each other is about as long as this sentence, or shorter.";

	private final Path folder;

	private final LocalServer server;

	private final HttpRequest.Builder newestPage;

	HistoryServer(PoolingOptions options, boolean pooled) {
		try {
			this.folder = Files.createTempDirectory("parley-");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.server = LocalServer.start(options.serverJar, List.of(), options.settings(pooled, this.folder));
		try (StudyUsers users = new StudyUsers(this.server.url(), 1)) {
			User user = users.all().getFirst();
			String room = users.createRoom(user, "history", 2);
			for (int n = 0; n < options.messages; n++) {
				users.say(user, room, "m-" + n, TEXT);
			}
			this.newestPage = HttpRequest
				.newBuilder(this.server.url().resolve("/api/rooms/" + room + "/messages?limit=" + options.limit))
				.header("Authorization", "Bearer " + user.token());
		}
		catch (RuntimeException ex) {
			close();
			throw ex;
		}
	}

	/** Asks for the newest messages of the room. */
	HttpRequest.Builder newestPage() {
		return this.newestPage.copy();
	}

	@Override
	public void close() {
		this.server.close();
		try (Stream<Path> files = Files.walk(this.folder)) {
			files.sorted(Comparator.reverseOrder()).forEach((file) -> file.toFile().delete());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
