package io.parley.store.report;

import java.time.Instant;
import java.util.UUID;

import io.parley.store.StoreTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@StoreTest
class MessageReportRepositoryTests {

	private static final Instant NOW = Instant.parse("2026-01-31T23:59:59.123Z");

	private final MessageReportRepository reports;

	private final String room = UUID.randomUUID().toString();

	MessageReportRepositoryTests(MessageReportRepository reports) {
		this.reports = reports;
	}

	private long add(long position, String sender, String reporter, Instant at) {
		assertThat(this.reports
			.add(new MessageReport(this.room, position, sender, reporter, "reason ü👍", "text ü👍", at))).isTrue();
		return this.reports.of(this.room, position, reporter).orElseThrow().id();
	}

	@Test
	void keepsTheFirstReportOfAUserAndMessage() {
		long id = add(1, "anna", "bert", NOW);
		assertThat(this.reports.add(new MessageReport(this.room, 1, "anna", "bert", "other", "other", NOW))).isFalse();
		assertThat(this.reports.byId(id)).hasValue(new MessageReport(id, this.room, 1, "anna", "bert", "reason ü👍",
				"text ü👍", NOW, ReportState.OPEN, null, null, null));
		add(1, "anna", "Bert", NOW);
		add(2, "anna", "bert", NOW);
		assertThat(this.reports.page(this.room, ReportState.OPEN, null, Long.MAX_VALUE, 10)).hasSize(3);
	}

	@Test
	void takesTheLongestValues() {
		String text = "👍".repeat(500_000);
		String reason = "ü".repeat(500);
		assertThat(this.reports
			.add(new MessageReport(this.room, Long.MAX_VALUE, "x".repeat(64), "y".repeat(64), reason, text, NOW)))
			.isTrue();
		MessageReport report = this.reports.of(this.room, Long.MAX_VALUE, "y".repeat(64)).orElseThrow();
		assertThat(report.text()).isEqualTo(text);
		assertThat(report.reason()).isEqualTo(reason);
	}

	@Test
	void pagesTheNewestFirst() {
		long first = add(1, "anna", "bert", NOW);
		long second = add(2, "carl", "bert", NOW);
		long third = add(3, "anna", "bert", NOW);
		this.reports.close(second, ReportState.DISMISSED, "mona", NOW, null);
		assertThat(this.reports.page(this.room, null, null, Long.MAX_VALUE, 10)).extracting(MessageReport::id)
			.containsExactly(third, second, first);
		assertThat(this.reports.page(this.room, null, null, third, 1)).extracting(MessageReport::id)
			.containsExactly(second);
		assertThat(this.reports.page(this.room, ReportState.OPEN, null, Long.MAX_VALUE, 10))
			.extracting(MessageReport::id)
			.containsExactly(third, first);
		assertThat(this.reports.page(this.room, null, "anna", Long.MAX_VALUE, 10)).extracting(MessageReport::id)
			.containsExactly(second);
		assertThat(this.reports.page(null, ReportState.DISMISSED, null, third, 10)).extracting(MessageReport::id)
			.contains(second);
		assertThat(this.reports.page("none", null, null, Long.MAX_VALUE, 10)).isEmpty();
	}

	@Test
	void isClosedOnceAndHasNoTextThen() {
		long id = add(1, "anna", "bert", NOW);
		assertThat(this.reports.close(id, ReportState.RESOLVED, "mona", NOW.plusMillis(1), "note ü👍")).isTrue();
		assertThat(this.reports.close(id, ReportState.DISMISSED, "carl", NOW, null)).isFalse();
		assertThat(this.reports.byId(id)).hasValue(new MessageReport(id, this.room, 1, "anna", "bert", "reason ü👍",
				null, NOW, ReportState.RESOLVED, "mona", NOW.plusMillis(1), "note ü👍"));
		assertThat(this.reports.close(-1, ReportState.DISMISSED, "carl", NOW, null)).isFalse();
		assertThat(this.reports.byId(-1)).isEmpty();
	}

	@Test
	void removesTheOldOnesThatAreOpenToo() {
		Instant old = Instant.parse("2020-01-01T00:00:00Z");
		add(1, "anna", "bert", old.minusMillis(1));
		long kept = add(2, "anna", "bert", old);
		assertThat(this.reports.removeBefore(old)).isPositive();
		assertThat(this.reports.page(this.room, null, null, Long.MAX_VALUE, 10)).extracting(MessageReport::id)
			.containsExactly(kept);
		assertThat(this.reports.removeBefore(old.plusMillis(1))).isPositive();
	}

}
