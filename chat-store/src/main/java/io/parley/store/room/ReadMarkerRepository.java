package io.parley.store.room;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.parley.store.Chunks;

import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** Stores how far each member has read. A marker never moves backwards. */
public class ReadMarkerRepository {

	private static final String ADVANCE = """
			UPDATE read_marker SET position = GREATEST(position, ?) WHERE room_id = ? AND username = ?""";

	private static final String SELECT = """
			SELECT room_id, username, position FROM read_marker WHERE room_id = ? AND username = ?""";

	private static final String INSERT = "INSERT INTO read_marker (position, room_id, username) VALUES (?, ?, ?)";

	/**
	 * Retries when another node has inserted one of the rows in the meantime, or after a
	 * deadlock with it. On the next attempt the rows exist and can be updated.
	 */
	private static final RetryTemplate RETRY = new RetryTemplate(RetryPolicy.builder()
		.includes(DuplicateKeyException.class, PessimisticLockingFailureException.class)
		.maxRetries(5)
		.delay(Duration.ofMillis(5))
		.jitter(Duration.ofMillis(5))
		.build());

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	ReadMarkerRepository(JdbcTemplate jdbc, PlatformTransactionManager transactionManager) {
		this.jdbc = jdbc;
		this.transaction = new TransactionTemplate(transactionManager);
		this.transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
	}

	/**
	 * Advances markers in one batch and in a separate transaction. Markers that are
	 * further ahead already stay as they are.
	 */
	public void advance(Collection<ReadMarker> markers) {
		List<ReadMarker> furthest = furthest(markers);
		if (furthest.isEmpty()) {
			return;
		}
		RETRY.invoke(() -> this.transaction.executeWithoutResult((status) -> write(furthest)));
	}

	/**
	 * Returns one marker for each room and user. The order is the same on every node,
	 * which makes deadlocks rare.
	 */
	private static List<ReadMarker> furthest(Collection<ReadMarker> markers) {
		Map<Member.Key, ReadMarker> furthest = new HashMap<>();
		for (ReadMarker marker : markers) {
			furthest.merge(new Member.Key(marker.room(), marker.username()), marker,
					(one, other) -> (one.position() >= other.position()) ? one : other);
		}
		return furthest.values()
			.stream()
			.sorted(Comparator.comparing(ReadMarker::room).thenComparing(ReadMarker::username))
			.toList();
	}

	private void write(List<ReadMarker> markers) {
		int[] updated = this.jdbc.batchUpdate(ADVANCE, arguments(markers));
		List<ReadMarker> absent = new ArrayList<>();
		for (int i = 0; i < updated.length; i++) {
			if (updated[i] == 0) {
				absent.add(markers.get(i));
			}
		}
		if (!absent.isEmpty()) {
			this.jdbc.batchUpdate(INSERT, arguments(absent));
		}
	}

	private static List<Object[]> arguments(List<ReadMarker> markers) {
		return markers.stream()
			.map((marker) -> new Object[] { marker.position(), marker.room(), marker.username() })
			.toList();
	}

	/**
	 * Returns the positions up to which these users have read the room. Users who have
	 * read nothing are missing.
	 */
	public Map<String, Long> positionsIn(String room, Collection<String> usernames) {
		Map<String, Long> positions = new HashMap<>();
		for (List<String> chunk : Chunks.of(usernames)) {
			List<Object> arguments = new ArrayList<>(chunk);
			arguments.addFirst(room);
			this.jdbc.query("SELECT username, position FROM read_marker WHERE room_id = ? AND username IN "
					+ Chunks.placeholders(chunk), (row) -> {
						positions.put(row.getString(1), row.getLong(2));
					}, arguments.toArray());
		}
		return positions;
	}

	/**
	 * Returns the stored positions of these users of rooms, whatever the positions of the
	 * given markers are. Users who have read nothing are missing.
	 */
	public List<ReadMarker> stored(Collection<ReadMarker> markers) {
		return Chunks.query(markers,
				(chunk) -> this.jdbc.query(Chunks.union(SELECT, chunk.size()),
						(row, index) -> new ReadMarker(row.getString(1), row.getString(2), row.getLong(3)),
						chunk.stream()
							.<Object>mapMulti((marker, sink) -> List.of(marker.room(), marker.username()).forEach(sink))
							.toArray()));
	}

	/** Returns the positions up to which the user has read rooms, by room. */
	public Map<String, Long> positions(String username) {
		Map<String, Long> positions = new HashMap<>();
		this.jdbc.query("SELECT room_id, position FROM read_marker WHERE username = ?", (row) -> {
			positions.put(row.getString(1), row.getLong(2));
		}, username);
		return positions;
	}

}
