package io.parley.loadtest;

import java.net.URI;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Users that a study signs up at one Parley, and the rooms that it makes for them. */
public final class StudyUsers implements AutoCloseable {

	private final RestApi api;

	private final List<User> users;

	/** A user with a token for REST and for CONNECT. */
	public record User(String name, String token) {
	}

	/**
	 * Signs them up.
	 * @throws io.parley.loadtest.cli.RefusedException when the server refuses one
	 */
	public StudyUsers(URI url, int users) {
		String run = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong(), 8);
		this.api = new RestApi(url);
		this.users = new Population(this.api, run, 1).create(users)
			.stream()
			.map((account) -> new User(account.username(), account.token()))
			.toList();
	}

	/** All of them. */
	public List<User> all() {
		return this.users;
	}

	/** Makes a room, which its creator is a member of, and answers its id. */
	public String createRoom(User creator, String name, int capacity) {
		return this.api.createRoom(creator.token(), name, capacity);
	}

	/** Makes somebody a member of a room. */
	public void join(User user, String room) {
		this.api.join(user.token(), room, user.name());
	}

	/** Posts a message. */
	public void say(User sender, String room, String clientId, String text) {
		this.api.say(sender.token(), room, clientId, text);
	}

	@Override
	public void close() {
		this.api.close();
	}

}
