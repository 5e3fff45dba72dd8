package io.parley.store.report;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.parley.store.UtcTime;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Stores reports of messages: one for each user and message. The text of the message is
 * kept while the report is open, and no longer. Times are in whole milliseconds. Safe for
 * use by many threads.
 */
public class MessageReportRepository {

	private static final int DELETE_ROWS = 1_000;

	private final JdbcTemplate jdbc;

	MessageReportRepository(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Adds a report, unless the user has reported the message before.
	 * @return whether it was added
	 */
	public boolean add(MessageReport report) {
		try {
			return this.jdbc.update("""
					INSERT INTO message_report (room_id, position, sender, reporter, reason, text, reported_at, state)
					VALUES (?, ?, ?, ?, ?, ?, ?, ?)""", report.room(), report.position(), report.sender(),
					report.reporter(), report.reason(), report.text(), UtcTime.of(report.reportedAt()),
					report.state().wireName()) > 0;
		}
		catch (DuplicateKeyException ex) {
			return false;
		}
	}

	/** Returns the report of a message by a user. */
	public Optional<MessageReport> of(String room, long position, String reporter) {
		return this.jdbc
			.query("SELECT * FROM message_report WHERE room_id = ? AND position = ? AND reporter = ?",
					MessageReportRepository::report, room, position, reporter)
			.stream()
			.findFirst();
	}

	/** Returns a report. */
	public Optional<MessageReport> byId(long id) {
		return this.jdbc.query("SELECT * FROM message_report WHERE id = ?", MessageReportRepository::report, id)
			.stream()
			.findFirst();
	}

	/**
	 * Returns reports, the newest first.
	 * @param room null for any
	 * @param state null for any
	 * @param exceptSender leaves out the reports of messages of this user; null for none
	 * @param before the reports are older than the one with this id
	 */
	public List<MessageReport> page(@Nullable String room, @Nullable ReportState state, @Nullable String exceptSender,
			long before, int limit) {
		StringBuilder sql = new StringBuilder("SELECT * FROM message_report WHERE id < ?");
		List<Object> arguments = new ArrayList<>(List.of(before));
		if (room != null) {
			sql.append(" AND room_id = ?");
			arguments.add(room);
		}
		if (state != null) {
			sql.append(" AND state = ?");
			arguments.add(state.wireName());
		}
		if (exceptSender != null) {
			sql.append(" AND sender <> ?");
			arguments.add(exceptSender);
		}
		sql.append(" ORDER BY id DESC LIMIT ?");
		arguments.add(limit);
		return this.jdbc.query(sql.toString(), MessageReportRepository::report, arguments.toArray());
	}

	/**
	 * Closes an open report and deletes the text of the message from it.
	 * @return whether it was open
	 */
	public boolean close(long id, ReportState state, String by, Instant now, @Nullable String note) {
		return this.jdbc.update("""
				UPDATE message_report SET state = ?, closed_by = ?, closed_at = ?, note = ?, text = NULL
				WHERE id = ? AND state = ?""", state.wireName(), by, UtcTime.of(now), note, id,
				ReportState.OPEN.wireName()) > 0;
	}

	/**
	 * Removes reports that were made before that time, open ones too, in several
	 * statements.
	 * @return the number of removed reports
	 */
	public int removeBefore(Instant time) {
		int removed = 0;
		int last = DELETE_ROWS;
		while (last == DELETE_ROWS) {
			last = this.jdbc.update("DELETE FROM message_report WHERE reported_at < ? LIMIT " + DELETE_ROWS,
					UtcTime.of(time));
			removed += last;
		}
		return removed;
	}

	private static MessageReport report(ResultSet row, int index) throws SQLException {
		LocalDateTime closedAt = row.getObject("closed_at", LocalDateTime.class);
		return new MessageReport(row.getLong("id"), row.getString("room_id"), row.getLong("position"),
				row.getString("sender"), row.getString("reporter"), row.getString("reason"), row.getString("text"),
				UtcTime.read(row, "reported_at"), ReportState.ofWireName(row.getString("state")),
				row.getString("closed_by"), (closedAt != null) ? closedAt.toInstant(ZoneOffset.UTC) : null,
				row.getString("note"));
	}

}
