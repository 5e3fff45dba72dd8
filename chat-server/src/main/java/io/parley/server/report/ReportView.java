package io.parley.server.report;

import java.time.Instant;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.parley.store.report.MessageReport;
import org.jspecify.annotations.Nullable;

/**
 * A report as moderators and operators see it.
 *
 * @param reporter shown to operators only
 * @param text the text of the message when it was reported; only while the report is open
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ReportView(long id, String room, long position, String sender, @Nullable String reporter, String reason,
		@Nullable String text, Instant reportedAt, String state, @Nullable String closedBy, @Nullable Instant closedAt,
		@Nullable String note) {

	static ReportView forOperators(MessageReport report) {
		return of(report, report.reporter());
	}

	/** Without the reporter, whom the members of the room might know. */
	static ReportView forModerators(MessageReport report) {
		return of(report, null);
	}

	private static ReportView of(MessageReport report, @Nullable String reporter) {
		return new ReportView(report.id(), report.room(), report.position(), report.sender(), reporter, report.reason(),
				report.text(), report.reportedAt(), report.state().wireName(), report.closedBy(), report.closedAt(),
				report.note());
	}

}
