package io.parley.conformance;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.parley.events.RoomNames;
import io.parley.log.RoomLog;
import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.LaterBuild;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import io.parley.store.UtcTime;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests how the server treats records of a later build, and what operators can do about
 * them.
 */
@UnlimitedServer
class LaterRecordTests {

	private final ChatServer server;

	private final RoomLog log;

	private final JdbcTemplate jdbc;

	LaterRecordTests(ChatServer server, RoomLog log, JdbcTemplate jdbc) {
		this.server = server;
		this.log = log;
		this.jdbc = jdbc;
	}

	@FanOut
	@Test
	void deliversAnUnknownTypeAndCountsItByItsFlag() {
		String room = this.server.room("anna", "bert");
		try (StompConnection anna = this.server.connect("anna")) {
			long start = anna.follow("s", room).path("head").asLong();
			append(room, LaterBuild.counting(room, "bert", "c1"));
			append(room, LaterBuild.plain(room, "bert", "c2"));
			anna.expectReceipt(anna.say(room, "c3", "text"));
			anna.expectMessage("s", "c3");
			List<JsonNode> events = anna.events("s").stream().skip(1).toList();
			Chain.assertUnbroken(events, start);
			assertThat(events).extracting((event) -> event.path("type").asString())
				.containsExactly(LaterBuild.TYPE, LaterBuild.TYPE, "message.posted");
			assertNumbers(room, start);
			assertThat(this.server.user("anna").listed(room).path("lastEvent").path("text").asString())
				.isEqualTo("text");
			assertThat(this.server.user("bert").listed(room).path("unread").asInt()).isEqualTo(2);
			await().until(() -> rows(room) == 4);
			assertNumbers(room, start);
		}
	}

	private void assertNumbers(String room, long start) {
		assertThat(this.server.user("anna").history(room, "?after=" + start))
			.extracting((event) -> event.path("number").asInt())
			.containsExactly(1, 1, 2);
	}

	@FanOut
	@Test
	void sendsAGapInsteadOfAnUnreadableRecord() {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connect("anna")) {
			long start = anna.follow("s", room).path("head").asLong();
			long parked = parked();
			append(room, LaterBuild.unreadable(room));
			JsonNode gap = anna.expectEvent("s", (event) -> event.path("type").asString().equals("gap"));
			assertThat(gap.path("room").asString()).isEqualTo(room);
			assertThat(gap.path("after").asLong()).isEqualTo(start);
			assertThat(gap.path("head").asLong()).isGreaterThan(start);
			anna.expectReceipt(anna.say(room, "c1", "text"));
			assertThat(anna.expectMessage("s", "c1").path("prev").asLong()).isEqualTo(start);
			assertThat(this.server.user("anna").history(room, "?after=" + start)).hasSize(1);
			await().until(() -> parked() == parked + 1);
			String answer = replay();
			assertThat(answer).startsWith("Stored: 0. In the history already: 0. Still parked: ")
				.contains("Unknown record version 3");
			assertThat(parked()).isEqualTo(parked + 1);
		}
	}

	@Test
	void storesParkedRecordsOnRequestOfAnOperator() {
		String room = this.server.room("anna", "bert");
		ChatApi anna = this.server.user("anna");
		anna.say(room, "c1", "text");
		anna.say(room, "c2", "text");
		anna.say(room, "c3", "text");
		await().until(() -> rows(room) == 4);
		List<JsonNode> whole = anna.history(room, "");
		park(room, whole.get(2));
		assertThat(replay()).startsWith("Stored: 1. ");
		assertThat(replay()).startsWith("Stored: 0. ");
		assertThat(anna.history(room, "")).isEqualTo(whole);
		anna.say(room, "c4", "text");
		await().until(() -> rows(room) == 5);
		assertThat(anna.history(room, "?limit=1").getFirst().path("number").asInt()).isEqualTo(4);
		assertThat(this.server.user("bert").post("/api/operator/parked/replay", Map.of()).expect(403).code())
			.isEqualTo("not-allowed");
	}

	/**
	 * Restores the database to the state in which the worker has not stored that event.
	 */
	private void park(String room, JsonNode event) {
		long position = event.path("position").asLong();
		byte[] record = io.parley.events.EventRecord
			.of(new io.parley.events.MessagePosted(room, event.path("id").asString(), "anna",
					event.path("clientId").asString(), Instant.parse(event.path("sentAt").asString()), "text",
					Map.of()))
			.encode();
		this.jdbc.update(
				"INSERT INTO parked_event (reader, partition_no, epoch, record_offset, reason, record, parked_at) "
						+ "VALUES ('persistence', ?, ?, ?, 'unknown', ?, ?)",
				partition(room), io.parley.events.Positions.epoch(position),
				io.parley.events.Positions.offset(position), record, UtcTime.now());
		this.jdbc.update("DELETE FROM room_event WHERE room_id = ? AND position = ?", room, position);
		this.jdbc.update("UPDATE room_event SET prev = ?, number = number - 1 WHERE room_id = ? AND prev = ?",
				event.path("prev").asLong(), room, position);
		this.jdbc.update("UPDATE room_head SET last_number = last_number - 1 WHERE room_id = ?", room);
	}

	@Test
	void raisesTheFormatWhenNoServerIsOlder() {
		ChatApi olga = this.server.user("olga");
		String path = "/api/operator/record-format";
		this.jdbc.update("UPDATE record_format SET version = 1");
		assertThat(olga.get(path).expect(200).response().body()).contains("written in format 1", "up to 2");
		this.jdbc.update("INSERT INTO node_lease (node, expires_at, record_version) VALUES ('old', ?, 1)",
				UtcTime.of(Instant.now().plusSeconds(60)));
		assertThat(olga.put(path, Map.of("version", 2)).expect(400).body().path("detail").asString())
			.contains("cannot read format 2: old.");
		this.jdbc.update("DELETE FROM node_lease WHERE node = 'old'");
		assertThat(olga.put(path, Map.of("version", 3)).expect(400).code()).isEqualTo("bad-request");
		try {
			assertThat(olga.put(path, Map.of("version", 2)).expect(200).response().body()).contains("format 2");
			assertThat(olga.put(path, Map.of("version", 1)).expect(400).code()).isEqualTo("bad-request");
			String room = this.server.room("anna");
			await().atMost(java.time.Duration.ofSeconds(60)).until(() -> {
				long position = this.server.user("anna").say(room, java.util.UUID.randomUUID().toString(), "text");
				return firstByte(room, position) == 2;
			});
			assertRoleIsInTheLog();
		}
		finally {
			this.jdbc.update("UPDATE record_format SET version = 2");
		}
		this.server.user("anna").get(path).expect(403);
	}

	/** Format 1 does not have the event. */
	private void assertRoleIsInTheLog() {
		String room = this.server.room("anna", "bert", "cleo");
		try (StompConnection cleo = this.server.connect("cleo")) {
			long start = cleo.follow("s", room).path("head").asLong();
			this.server.user("anna").changeRole(room, "bert", "reader").expect(200);
			this.server.user("anna").changeRole(room, "bert", "reader").expect(200);
			this.server.user("anna").leave(room, "anna").expect(204);
			JsonNode changed = cleo.expectEvent("s", (event) -> event.path("type").asString().equals("member.role")
					&& event.path("role").asString().equals("owner"));
			assertThat(changed.path("member").asString()).isEqualTo("cleo");
			assertThat(changed.path("sender").asString()).isEqualTo("anna");
			List<JsonNode> events = cleo.events("s").stream().skip(1).toList();
			Chain.assertUnbroken(events, start);
			assertThat(events).extracting((event) -> event.path("type").asString())
				.containsExactly("member.role", "member.left", "member.role");
			assertThat(events.getFirst().path("member").asString()).isEqualTo("bert");
			assertThat(events.getFirst().path("role").asString()).isEqualTo("reader");
			assertThat(this.server.user("cleo").history(room, "?after=" + start))
				.extracting((event) -> event.path("number").asInt())
				.containsExactly(0, 0, 0);
			assertThat(this.server.user("cleo").listed(room).path("unread").asInt()).isZero();
			await().until(() -> rows(room) == 4);
		}
	}

	private byte firstByte(String room, long position) {
		long offset = io.parley.events.Positions.offset(position);
		try (io.parley.log.LogReader reader = this.log.follow(partition(room), offset)) {
			return await().until(() -> reader.poll(1, java.time.Duration.ofSeconds(1)), (records) -> !records.isEmpty())
				.getFirst()
				.data()[0];
		}
	}

	private String replay() {
		return this.server.user("olga").post("/api/operator/parked/replay", Map.of()).expect(200).response().body();
	}

	private void append(String room, byte[] record) {
		this.log.append(partition(room), record).join();
	}

	private int partition(String room) {
		return RoomNames.partition(room, this.log.partitions());
	}

	private long rows(String room) {
		return count("SELECT COUNT(*) FROM room_event WHERE room_id = ?", room);
	}

	private long parked() {
		return count("SELECT COUNT(*) FROM parked_event WHERE reader = ?", "persistence");
	}

	private long count(String sql, String argument) {
		Long count = this.jdbc.queryForObject(sql, Long.class, argument);
		return (count != null) ? count : 0;
	}

}
