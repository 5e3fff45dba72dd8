package io.parley.loadtest.study.pooling;

import java.net.http.HttpRequest;
import java.util.List;

import io.parley.loadtest.local.LocalServer;
import io.parley.loadtest.local.ScratchFolder;
import io.parley.loadtest.study.client.StudyUsers;
import io.parley.loadtest.study.client.StudyUsers.User;

/**
 * A chat-server with one room that has a history.
 */
final class HistoryServer implements AutoCloseable {

	private static final String TEXT = "What people write to each other is about as long as this sentence, or shorter.";

	private final ScratchFolder folder = new ScratchFolder();

	private final LocalServer server;

	private final HttpRequest.Builder newestPage;

	HistoryServer(PoolingOptions options, boolean pooled) {
		this.server = LocalServer.start(options.serverJar, List.of(), options.settings(pooled, this.folder.path()));
		try (StudyUsers users = new StudyUsers(this.server.url(), 1)) {
			User user = users.all().getFirst();
			String room = users.createRoom(user, "history", 2);
			for (int n = 0; n < options.messages; n++) {
				users.postMessage(user, room, "m-" + n, TEXT);
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

	/**
	 * Returns a request for the newest messages of the room.
	 */
	HttpRequest.Builder newestPage() {
		return this.newestPage.copy();
	}

	@Override
	public void close() {
		this.server.close();
		this.folder.close();
	}

}
