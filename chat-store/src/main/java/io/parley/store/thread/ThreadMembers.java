package io.parley.store.thread;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

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

	/** Retries when another node has inserted the row in the meantime. */
	private static final RetryTemplate RETRY = new RetryTemplate(RetryPolicy.builder()
		.includes(DuplicateKeyException.class, PessimisticLockingFailureException.class)
		.maxRetries(5)
		.delay(Duration.ofMillis(5))
		.jitter(Duration.ofMillis(5))
		.build());

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	ThreadMembers(JdbcTemplate jdbc, PlatformTransactionManager transactionManager) {
		this.jdbc = jdbc;
		this.transaction = new TransactionTemplate(transactionManager);
		this.transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
	}

	/** Marks threads as read up to a position. */
	public void read(Collection<ThreadKey> keys, long position) {
		List<ThreadKey> sorted = keys.stream()
			.sorted(Comparator.comparing((ThreadKey key) -> key.root().room())
				.thenComparing((key) -> key.root().position())
				.thenComparing(ThreadKey::username))
			.toList();
		inTransaction(() -> sorted.forEach((key) -> update(READ, INSERT_READ, position, key.root().room(),
				key.root().position(), key.username())));
	}

	/**
	 * Makes a user follow a thread, or not follow it.
	 * @param position the newest position of the room
	 */
	public void follow(ThreadKey key, boolean follows, long position) {
		// Who begins to follow is told of later replies only.
		inTransaction(() -> update(CHOOSE, INSERT_CHOICE, follows ? position : 0, follows, position, key.root().room(),
				key.root().position(), key.username()));
	}

	private void inTransaction(Runnable work) {
		RETRY.invoke(() -> this.transaction.executeWithoutResult((status) -> work.run()));
	}

	private void update(String update, String insert, Object... arguments) {
		if (this.jdbc.update(update, arguments) == 0) {
			this.jdbc.update(insert, arguments);
		}
	}

}
