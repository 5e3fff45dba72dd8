package io.parley.store.report;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The report of a message by a user.
 *
 * @param id the order in which reports were stored; 0 before that
 * @param sender the author of the message
 * @param text the text of the message when it was reported; null once the report is
 * closed
 * @param closedBy null while the report is open
 * @param note of who closed the report, or null
 */
public record MessageReport(long id, String room, long position, String sender, String reporter, String reason,
		@Nullable String text, Instant reportedAt, ReportState state, @Nullable String closedBy,
		@Nullable Instant closedAt, @Nullable String note) {

	/** Creates a report to be stored. */
	public MessageReport(String room, long position, String sender, String reporter, String reason, String text,
			Instant reportedAt) {
		this(0, room, position, sender, reporter, reason, text, reportedAt, ReportState.OPEN, null, null, null);
	}

}
