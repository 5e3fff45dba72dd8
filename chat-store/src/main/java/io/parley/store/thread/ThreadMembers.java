package io.parley.store.thread;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

import io.parley.store.Upserts;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Stores how far users have read threads, and which threads they have chosen to follow. A
 * position never moves backwards.
 */
public class ThreadMembers {

	private static final String READ = """
			UPDATE thread_member SET read_position = GREATEST(read_position, ?)
			WHERE room_id = ? AND root = ? AND username = ?""";

	private static final String INSERT_READ = """
			INSERT INTO thread_member (read_position, room_id, root, username, since) VALUES (?, ?, ?, ?, 0)""";

	private static final String CHOOSE = """
			UPDATE thread_member SET read_position = GREATEST(read_position, ?), follows = ?, since = ?
			WHERE room_id = ? AND root = ? AND username = ?""";

	private static final String INSERT_CHOICE = """
			INSERT INTO thread_member (read_position, follows, since, room_id, root, username)
			VALUES (?, ?, ?, ?, ?, ?)""";

	private final JdbcTemplate jdbc;

	private final Upserts upserts;

	ThreadMembers(JdbcTemplate jdbc, PlatformTransactionManager transactionManager) {
		this.jdbc = jdbc;
		this.upserts = new Upserts(transactionManager);
	}

	/** Marks threads as read up to a position. */
	public void read(Collection<ThreadKey> keys, long position) {
		List<ThreadKey> sorted = keys.stream()
			.sorted(Comparator.comparing((ThreadKey key) -> key.root().room())
				.thenComparing((key) -> key.root().position())
				.thenComparing(ThreadKey::username))
			.toList();
		this.upserts.run(() -> sorted.forEach((key) -> update(READ, INSERT_READ, position, key.root().room(),
				key.root().position(), key.username())));
	}

	/**
	 * Makes a user follow a thread, or not follow it.
	 * @param position the newest position of the room
	 */
	public void follow(ThreadKey key, boolean follows, long position) {
		// A new follower is told of later replies only.
		this.upserts.run(() -> update(CHOOSE, INSERT_CHOICE, follows ? position : 0, follows, position,
				key.root().room(), key.root().position(), key.username()));
	}

	private void update(String update, String insert, Object... arguments) {
		if (this.jdbc.update(update, arguments) == 0) {
			this.jdbc.update(insert, arguments);
		}
	}

}
