package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Members report messages; moderators and operators decide. */
@UnlimitedServer
class ReportTests {

	private final ChatServer server;

	private final JdbcTemplate jdbc;

	private final String room;

	private final ChatApi anna;

	private final ChatApi bert;

	private final ChatApi mona;

	private final ChatApi olga;

	ReportTests(ChatServer server, JdbcTemplate jdbc) {
		this.server = server;
		this.jdbc = jdbc;
		this.room = server.room("anna", "bert", "mona", "carl");
		this.anna = server.user("anna");
		this.bert = server.user("bert");
		this.mona = server.user("mona");
		this.olga = server.user("olga");
		this.anna.changeRole(this.room, "mona", "moderator").expect(200);
	}

	private ChatApi.Answer report(ChatApi by, long position, String reason) {
		return by.post("/api/rooms/" + this.room + "/messages/" + position + "/report", Map.of("reason", reason));
	}

	private List<JsonNode> queue(ChatApi by, String query) {
		List<JsonNode> reports = new ArrayList<>();
		by.get("/api/rooms/" + this.room + "/reports" + query).expect(200).body().path("reports").forEach(reports::add);
		return reports;
	}

	private List<JsonNode> operatorQueue(String query) {
		List<JsonNode> reports = new ArrayList<>();
		this.olga.get("/api/operator/reports?room=" + this.room + query)
			.expect(200)
			.body()
			.path("reports")
			.forEach(reports::add);
		return reports;
	}

	private ChatApi.Answer close(ChatApi by, long id, String state) {
		return by.patch("/api/rooms/" + this.room + "/reports/" + id, Map.of("state", state, "note", "done"));
	}

	@Test
	void reachesModeratorsAndOperators() {
		long position = this.bert.say(this.room, "c1", "rude words");
		JsonNode made = report(this.server.user("carl"), position, " It is rude. ").expect(201).body();
		long id = made.path("id").asLong();
		assertThat(made.propertyNames()).containsExactlyInAnyOrder("id", "room", "position", "reportedAt");
		JsonNode seen = queue(this.mona, "").getFirst();
		assertThat(seen.path("id").asLong()).isEqualTo(id);
		assertThat(seen.path("position").asLong()).isEqualTo(position);
		assertThat(seen.path("sender").asString()).isEqualTo("bert");
		assertThat(seen.path("text").asString()).isEqualTo("rude words");
		assertThat(seen.path("reason").asString()).isEqualTo("It is rude.");
		assertThat(seen.path("state").asString()).isEqualTo("open");
		assertThat(seen.has("reporter")).isFalse();
		JsonNode operators = operatorQueue("").getFirst();
		assertThat(operators.path("reporter").asString()).isEqualTo("carl");
		assertThat(operators.path("room").asString()).isEqualTo(this.room);
	}

	@Test
	void isMadeOncePerUserAndMessage() throws Exception {
		long position = this.bert.say(this.room, "c1", "text");
		List<Future<Integer>> reports = new ArrayList<>();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			for (int i = 0; i < 10; i++) {
				reports.add(threads.submit(() -> report(this.anna, position, "reason").status()));
			}
		}
		List<Integer> statuses = new ArrayList<>();
		for (Future<Integer> one : reports) {
			statuses.add(one.get());
		}
		assertThat(statuses).containsOnly(200, 201).containsOnlyOnce(201);
		long id = queue(this.mona, "").getFirst().path("id").asLong();
		close(this.mona, id, "dismissed").expect(200);
		JsonNode repeated = report(this.anna, position, "another reason").expect(200).body();
		assertThat(repeated.path("id").asLong()).isEqualTo(id);
		assertThat(queue(this.mona, "")).isEmpty();
		report(this.mona, position, "another user").expect(201);
		assertThat(queue(this.anna, "?state=all")).hasSize(2);
	}

	@Test
	void hasTheTextOfThatMoment() {
		long position = this.bert.say(this.room, "c1", "first");
		this.bert.edit(this.room, position, "e1", "second").expect(202);
		report(this.anna, position, "reason").expect(201);
		this.bert.edit(this.room, position, "e2", "third").expect(202);
		assertThat(queue(this.mona, "").getFirst().path("text").asString()).isEqualTo("second");
		long reply = this.bert
			.post("/api/rooms/" + this.room + "/threads/" + position + "/messages",
					Map.of("clientId", "t1", "text", "a reply"))
			.expect(202)
			.body()
			.path("position")
			.asLong();
		report(this.anna, reply, "reason").expect(201);
		assertThat(queue(this.mona, "").getFirst().path("text").asString()).isEqualTo("a reply");
	}

	@Test
	void theTextOfADeletedMessageIsNowhereOnceTheReportIsClosed() {
		String text = "deleted-" + this.room;
		long position = this.bert.say(this.room, "c1", text);
		long id = report(this.anna, position, "reason").expect(201).body().path("id").asLong();
		this.bert.deleteMessage(this.room, position).expect(202);
		assertThat(queue(this.mona, "").getFirst().path("text").asString()).isEqualTo(text);
		assertThat(report(this.server.user("carl"), position, "reason").expect(409).code())
			.isEqualTo("message-deleted");
		JsonNode closed = close(this.mona, id, "resolved").expect(200).body();
		assertThat(closed.has("text")).isFalse();
		assertThat(this.jdbc.queryForObject("SELECT COUNT(*) FROM message_report WHERE text LIKE ?", Integer.class,
				"%" + text + "%"))
			.isZero();
		await().untilAsserted(
				() -> assertThat(this.jdbc.queryForObject("SELECT COUNT(*) FROM room_event WHERE body LIKE ?",
						Integer.class, "%" + text + "%"))
					.isZero());
		assertThat(operatorQueue("&state=all").getFirst().toString()).doesNotContain(text);
	}

	@Test
	void isClosedOnce() {
		long position = this.bert.say(this.room, "c1", "text");
		long id = report(this.anna, position, "reason").expect(201).body().path("id").asLong();
		JsonNode closed = close(this.mona, id, "resolved").expect(200).body();
		assertThat(closed.path("state").asString()).isEqualTo("resolved");
		assertThat(closed.path("closedBy").asString()).isEqualTo("mona");
		assertThat(closed.path("note").asString()).isEqualTo("done");
		close(this.mona, id, "resolved").expect(200);
		assertThat(close(this.mona, id, "dismissed").expect(409).code()).isEqualTo("report-closed");
		assertThat(close(this.anna, id, "resolved").expect(409).code()).isEqualTo("report-closed");
		assertThat(this.olga.patch("/api/operator/reports/" + id, Map.of("state", "dismissed")).expect(409).code())
			.isEqualTo("report-closed");
		assertThat(queue(this.mona, "")).isEmpty();
		assertThat(queue(this.mona, "?state=resolved")).hasSize(1);
		assertThat(queue(this.mona, "?state=dismissed")).isEmpty();
	}

	@Test
	void aModeratorSeesAndClosesNoReportsOfOwnMessagesNorOfOtherRooms() {
		long own = this.mona.say(this.room, "c1", "text");
		long id = report(this.anna, own, "reason").expect(201).body().path("id").asLong();
		assertThat(queue(this.mona, "?state=all")).isEmpty();
		assertThat(close(this.mona, id, "dismissed").expect(404).code()).isEqualTo("not-found");
		assertThat(queue(this.anna, "")).hasSize(1);
		String other = this.server.room("mona", "anna");
		assertThat(this.mona.patch("/api/rooms/" + other + "/reports/" + id, Map.of("state", "dismissed"))
			.expect(404)
			.code()).isEqualTo("not-found");
		this.olga.patch("/api/operator/reports/" + id, Map.of("state", "dismissed")).expect(200);
	}

	@Test
	void aDirectRoomHasOperatorsOnly() {
		String direct = this.anna.openDirect("bert");
		long position = this.bert.say(direct, "c" + direct, "text");
		this.anna.put("/api/blocks/bert", Map.of()).expect(204);
		this.anna.post("/api/rooms/" + direct + "/messages/" + position + "/report", Map.of("reason", "r")).expect(201);
		assertThat(this.anna.get("/api/rooms/" + direct + "/reports").expect(403).code()).isEqualTo("not-allowed");
		assertThat(this.olga.get("/api/operator/reports?room=" + direct).expect(200).body().path("reports")).hasSize(1);
		this.anna.delete("/api/blocks/bert").expect(204);
	}

	@Test
	void isAboutAMessageOfSomebodyElseInTheRoom() {
		long own = this.anna.say(this.room, "c1", "text");
		assertThat(report(this.anna, own, "reason").expect(400).code()).isEqualTo("bad-request");
		for (long position : List.of(0L, -1L, own - 1, own + 1_000_000, Long.MAX_VALUE)) {
			assertThat(report(this.bert, position, "reason").expect(404).code()).isEqualTo("not-found");
		}
		String other = this.server.room("carl");
		assertThat(this.bert.post("/api/rooms/" + other + "/messages/" + own + "/report", Map.of("reason", "reason"))
			.expect(403)
			.code()).isEqualTo("not-a-member");
		this.anna.changeRole(this.room, "bert", "reader").expect(200);
		report(this.bert, own, "a reader may").expect(201);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"reason\":null}", "{\"reason\":\"\"}", "{\"reason\":\" \"}", "{\"reason\":7}",
			"[]", "{\"reason\":\"\\u0000\"}", "" })
	void needsAReason(String body) {
		long position = this.bert.say(this.room, "c1", "text");
		String path = "/api/rooms/" + this.room + "/messages/" + position + "/report";
		assertThat(this.anna.exchange("POST", path, body).status()).isEqualTo(400);
		assertThat(report(this.anna, position, "x".repeat(501)).status()).isEqualTo(400);
		report(this.anna, position, "👍".repeat(250)).expect(201);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"state\":null}", "{\"state\":\"open\"}", "{\"state\":\"RESOLVED\"}",
			"{\"state\":\"closed\"}", "{\"state\":1}", "" })
	void needsADecision(String body) {
		long id = report(this.anna, this.bert.say(this.room, "c1", "text"), "reason").body().path("id").asLong();
		assertThat(this.mona.exchange("PATCH", "/api/rooms/" + this.room + "/reports/" + id, body).status())
			.isEqualTo(400);
		assertThat(this.mona
			.patch("/api/rooms/" + this.room + "/reports/" + id, Map.of("state", "resolved", "note", "x".repeat(501)))
			.status()).isEqualTo(400);
	}

	@Test
	void pagesTheQueue() {
		for (int i = 0; i < 3; i++) {
			report(this.anna, this.bert.say(this.room, "c" + i, "text " + i), "reason").expect(201);
		}
		JsonNode page = this.mona.get("/api/rooms/" + this.room + "/reports?limit=2").expect(200).body();
		assertThat(page.path("reports")).extracting((report) -> report.path("text").asString())
			.containsExactly("text 2", "text 1");
		JsonNode rest = this.mona
			.get("/api/rooms/" + this.room + "/reports?limit=2&before=" + page.path("next").asLong())
			.expect(200)
			.body();
		assertThat(rest.path("reports")).hasSize(1);
		assertThat(rest.path("next").isNull()).isTrue();
		for (String query : List.of("?limit=0", "?limit=501", "?limit=x", "?state=x", "?state=OPEN", "?before=x")) {
			assertThat(this.mona.get("/api/rooms/" + this.room + "/reports" + query).status()).isEqualTo(400);
			assertThat(this.olga.get("/api/operator/reports" + query).status()).isEqualTo(400);
		}
	}

	@Test
	void isInTheAuditLogWithoutTexts() {
		long position = this.bert.say(this.room, "c1", "the text");
		long id = report(this.anna, position, "the reason").expect(201).body().path("id").asLong();
		close(this.mona, id, "resolved").expect(200);
		close(this.mona, id, "resolved").expect(200);
		for (String action : List.of("report_created", "report_closed")) {
			List<JsonNode> entries = new ArrayList<>();
			this.olga.get("/api/operator/audit?user=bert&limit=500&action=" + action)
				.expect(200)
				.body()
				.path("events")
				.forEach((entry) -> {
					if (entry.path("detail").path("room").asString("").equals(this.room)) {
						entries.add(entry);
					}
				});
			assertThat(entries).hasSize(1).allSatisfy((entry) -> {
				assertThat(entry.path("actor").asString()).isEqualTo(action.endsWith("created") ? "anna" : "mona");
				assertThat(entry.toString()).doesNotContain("the text", "the reason", "done");
			});
		}
	}

}
