package io.parley.store.log;

import java.time.Instant;

import io.parley.events.RecordFormat;
import io.parley.store.StoreTest;
import io.parley.store.UtcTime;
import io.parley.store.presence.NodePresence;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@StoreTest
class WrittenFormatTests {

	private static final Instant NOW = Instant.parse("2026-11-20T22:26:56Z");

	private final WrittenFormat written;

	private final NodePresence presence;

	private final JdbcTemplate jdbc;

	WrittenFormatTests(WrittenFormat written, NodePresence presence, JdbcTemplate jdbc) {
		this.written = written;
		this.presence = presence;
		this.jdbc = jdbc;
	}

	@BeforeEach
	void begin() {
		this.jdbc.update("UPDATE record_format SET version = 1");
		this.jdbc.update("DELETE FROM node_lease");
	}

	@Test
	void isTheFirstOneUntilItIsRaised() {
		this.presence.begin("new", NOW.plusSeconds(15));
		assertThat(this.written.current()).isEqualTo(RecordFormat.V1);
		assertThat(this.written.raise(RecordFormat.V2, NOW)).isEmpty();
		assertThat(this.written.current()).isEqualTo(RecordFormat.V2);
		assertThat(this.written.raise(RecordFormat.V1, NOW)).isEmpty();
		assertThat(this.written.current()).isEqualTo(RecordFormat.V2);
	}

	@Test
	void isNotRaisedWhileALiveServerCannotReadIt() {
		this.presence.begin("new", NOW.plusSeconds(15));
		lease("dead", NOW.minusSeconds(1));
		lease("old", NOW.plusSeconds(15));
		assertThat(this.written.raise(RecordFormat.V2, NOW)).containsExactly("old");
		assertThat(this.written.current()).isEqualTo(RecordFormat.V1);
		this.presence.end("old");
		assertThat(this.written.raise(RecordFormat.V2, NOW)).isEmpty();
	}

	/** Writes a lease as a build does that knows only format 1. */
	private void lease(String node, Instant expiresAt) {
		this.jdbc.update("INSERT INTO node_lease (node, expires_at) VALUES (?, ?)", node, UtcTime.of(expiresAt));
	}

	@Test
	void failsWhenTheStoredFormatIsUnknown() {
		this.jdbc.update("UPDATE record_format SET version = 3");
		assertThatExceptionOfType(NewerFormatException.class).isThrownBy(this.written::current)
			.withMessageContaining("format 3");
	}

}
