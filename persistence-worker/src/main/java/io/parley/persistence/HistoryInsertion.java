package io.parley.persistence;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.parley.events.EventRecord;
import io.parley.store.event.RoomHead;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Inserts events into the stored history of one room, at positions that were skipped.
 * Afterwards the history is as if they had never been skipped: the {@code prev} of the
 * next event is set to the inserted one, and if the inserted event counts, the numbers of
 * all later events increase. Used once, inside a transaction that has locked the offset
 * of the partition.
 */
class HistoryInsertion {

	private static final String BEFORE = """
			SELECT position, number FROM room_event WHERE room_id = ? AND position < ?
			ORDER BY room_id DESC, position DESC LIMIT 1""";

	private static final String AFTER = """
			SELECT position FROM room_event WHERE room_id = ? AND position > ?
			ORDER BY room_id, position LIMIT 1""";

	private static final String RENUMBER = """
			UPDATE room_event SET number = number + ? WHERE room_id = ? AND position > ? AND position < ?""";

	private final JdbcTemplate jdbc;

	private final EventTables tables;

	private final BatchChanges changes;

	private final String room;

	private boolean changed;

	/** Of this head only the deletes and the mentions are used: those that were added. */
	private RoomHead added = RoomHead.NONE;

	/**
	 * The number of inserted events that count. None of them is above
	 * {@link #renumbered}.
	 */
	private long inserted;

	/** The position up to which the numbers of all events are correct. */
	private long renumbered;

	HistoryInsertion(JdbcTemplate jdbc, EventTables tables, String room) {
		this.jdbc = jdbc;
		this.tables = tables;
		this.changes = new BatchChanges(tables);
		this.room = room;
	}

	/**
	 * Inserts an event. Positions must ascend from call to call.
	 * @return whether the event was missing; false if the history already has it,
	 * possibly at another position because its sender has sent it again
	 * @throws DataAccessException if the database rejects the event; the caller may add
	 * others
	 */
	boolean add(long position, EventRecord event) {
		if (isStored(position, event)) {
			return false;
		}
		renumberTo(position);
		RoomHead before = before(position);
		long number = before.number() + (event.counts() ? 1 : 0);
		NumberedRecord numbered = new NumberedRecord(position, before.position(), number, event);
		this.tables.insert(List.of(numbered));
		this.added = this.changes.apply(List.of(numbered)).addTo(this.room, this.added);
		if (event.type().isMessage()) {
			this.changes.settle(numbered);
		}
		Long next = first(AFTER, position);
		if (next != null) {
			this.jdbc.update("UPDATE room_event SET prev = ? WHERE room_id = ? AND position = ?", position, this.room,
					next);
		}
		this.changed = true;
		this.inserted += event.counts() ? 1 : 0;
		return true;
	}

	private boolean isStored(long position, EventRecord event) {
		if (first("SELECT position FROM room_event WHERE room_id = ? AND position = ?", position) != null) {
			return true;
		}
		return !this.tables.stored(Set.of(ClientKey.of(event))).isEmpty();
	}

	private void renumberTo(long position) {
		if (this.inserted > 0) {
			this.jdbc.update(RENUMBER, this.inserted, this.room, this.renumbered, position);
		}
		this.renumbered = position;
	}

	/**
	 * Renumbers the events after the last inserted one, and updates the head of the room.
	 * @param stored the head before, or null if the room has none yet
	 */
	void finish(int partition, @Nullable RoomHead stored) {
		if (this.changed) {
			renumberTo(Long.MAX_VALUE);
			RoomHead last = before(Long.MAX_VALUE);
			RoomHead before = (stored != null) ? stored : RoomHead.NONE;
			RoomHead after = new RoomHead(last.position(), last.number(), before.deletes() + this.added.deletes(),
					Math.max(before.lastMention(), this.added.lastMention()));
			this.tables.save(Map.of(this.room, after), (stored != null) ? Set.of(this.room) : Set.of());
			this.tables.incrementRewrites(partition);
		}
	}

	private RoomHead before(long position) {
		return this.jdbc
			.query(BEFORE, (row, index) -> new RoomHead(row.getLong(1), row.getLong(2)), this.room, position)
			.stream()
			.findFirst()
			.orElse(RoomHead.NONE);
	}

	private @Nullable Long first(String sql, long position) {
		return this.jdbc.queryForList(sql, Long.class, this.room, position).stream().findFirst().orElse(null);
	}

}
