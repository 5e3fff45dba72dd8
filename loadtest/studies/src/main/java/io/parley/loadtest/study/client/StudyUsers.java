package io.parley.loadtest.study.client;

import java.net.URI;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import io.parley.loadtest.user.Population;
import io.parley.loadtest.user.RestApi;

/**
 * The users that a study signs up at one Parley server, and their rooms.
 */
public final class StudyUsers implements AutoCloseable {

	private final RestApi api;

	private final List<User> users;

	/**
	 * A user with a token for REST and CONNECT.
	 */
	public record User(String name, String token) {
	}

	/**
	 * Signs up the users.
	 * @throws io.parley.loadtest.cli.RefusedException when the server rejects a request
	 */
	public StudyUsers(URI url, int users) {
		String run = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong(), 8);
		this.api = new RestApi(url);
		this.users = new Population(this.api, run, 1).create(users)
			.stream()
			.map((account) -> new User(account.username(), account.token()))
			.toList();
	}

	/**
	 * Returns all users.
	 */
	public List<User> all() {
		return this.users;
	}

	/**
	 * Creates a room with its creator as the first member, and returns its id.
	 */
	public String createRoom(User creator, String name, int capacity) {
		return this.api.createRoom(creator.token(), name, capacity);
	}

	/**
	 * Adds a user to a room.
	 */
	public void join(User user, String room) {
		this.api.join(user.token(), room, user.name());
	}

	/** Posts a message. */
	public void postMessage(User sender, String room, String clientId, String text) {
		this.api.postMessage(sender.token(), room, clientId, text);
	}

	@Override
	public void close() {
		this.api.close();
	}

}
