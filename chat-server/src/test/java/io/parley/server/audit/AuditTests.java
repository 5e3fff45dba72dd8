package io.parley.server.audit;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.UnlimitedServer;
import io.parley.store.audit.AuditEvent;
import io.parley.store.audit.AuditEventRepository;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** The content of the audit log, and what it never contains. */
@UnlimitedServer
class AuditTests {

	private static final String PATH = "/api/operator/audit";

	private static final String NEW = "a new secret of the tests";

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	private final ChatServer server;

	private final AuditLog audit;

	private final AuditEventRepository events;

	private final AuditRetention retention;

	private final JdbcTemplate database;

	private final TransactionTemplate transaction;

	AuditTests(ChatServer server, AuditLog audit, AuditEventRepository events, AuditRetention retention,
			JdbcTemplate database, TransactionTemplate transaction) {
		this.server = server;
		this.audit = audit;
		this.events = events;
		this.retention = retention;
		this.database = database;
		this.transaction = transaction;
	}

	@BeforeEach
	void listen() {
		this.lines.start();
		logger().addAppender(this.lines);
	}

	@AfterEach
	void stopListening() {
		logger().detachAppender(this.lines);
	}

	private static Logger logger() {
		return (Logger) LoggerFactory.getLogger("audit");
	}

	@Test
	void tellsTheLifeOfAnAccount() {
		ChatApi anna = this.server.user("a-anna");
		String reset = olga().post("/api/operator/users/a-anna/reset", Map.of())
			.expect(201)
			.body()
			.path("token")
			.asString();
		post("/api/auth/reset", Map.of("token", reset, "password", NEW)).expect(204);
		post("/api/auth/login", Map.of("username", "a-anna", "password", "a wrong password")).expect(401);
		anna = this.server.anonymous().login("a-anna", NEW);
		anna.put("/api/me/password", Map.of("current", "a wrong password", "password", NEW)).expect(403);
		anna.put("/api/me/password", Map.of("current", NEW, "password", NEW + "!")).expect(204);
		anna.get("/api/operator/users").expect(403);
		change("a-anna", Map.of("state", "suspended", "operator", true));
		change("a-anna", Map.of("state", "suspended"));
		change("a-anna", Map.of("state", "disabled"));
		olga().delete("/api/operator/users/a-anna/sign-ins").expect(204);
		JsonNode invite = olga().post("/api/operator/invites", Map.of()).expect(201).body();
		olga().delete("/api/operator/invites/" + invite.path("id").asString()).expect(204);
		assertThat(actions("a-anna")).containsExactly("user_created", "authn_login_success",
				"authn_password_reset_created", "authn_password_change", "authn_login_fail", "authn_login_success",
				"authn_password_change_fail", "authn_password_change", "authz_fail", "user_updated", "authz_change",
				"user_updated", "authn_token_revoked");
		List<JsonNode> changes = page("?user=a-anna&action=user_updated");
		assertThat(changes.getFirst().path("detail")).isEqualTo(json("{\"from\":\"suspended\",\"to\":\"disabled\"}"));
		assertThat(changes.getFirst().path("actor").asString()).isEqualTo("olga");
		assertThat(changes.getFirst().path("user").asString()).isEqualTo("a-anna");
		assertThat(changes.getFirst().path("address").asString()).isEqualTo("127.0.0.1");
		assertThat(changes.getFirst().path("node").asString()).isNotEmpty();
		assertThat(Instant.parse(changes.getFirst().path("at").asString())).isBetween(Instant.now().minusSeconds(300),
				Instant.now().plusSeconds(1));
		assertThat(page("?user=olga&action=user_invite_revoked").getFirst().path("detail").path("invite"))
			.isEqualTo(invite.path("id"));
		assertThat(page("?action=sys_startup")).isNotEmpty();
		String everything = this.database.queryForList("SELECT * FROM audit_event").toString() + this.lines.list;
		assertThat(everything).contains("a-anna")
			.doesNotContain(reset, invite.path("token").asString(), NEW, "a wrong password", ChatApi.PASSWORD, "argon2",
					anna.token());
	}

	@Test
	void tellsWhatOperatorsRead() {
		String room = this.server.room("a-bert");
		olga().get("/api/push/log?user=a-bert&room=" + room).expect(200);
		olga().exchange("HEAD", "/api/push/log?user=a-bert&room=" + room, "").expect(200);
		assertThat(page("?user=a-bert&action=operator_read")).hasSize(2)
			.allSatisfy((event) -> assertThat(event.path("detail").path("path").asString()).isEqualTo("/api/push/log"));
	}

	@Test
	void eachEntryIsALineOfJsonToo() {
		this.server.user("a-carl");
		assertThat(this.lines.list).anySatisfy((line) -> {
			JsonNode json = json(line.getFormattedMessage());
			assertThat(json.path("action").asString()).isEqualTo("user_created");
			assertThat(json.path("user").asString()).isEqualTo("a-carl");
			assertThat(json.has("id")).isFalse();
		});
		this.audit.record(AuditAction.SYS_STARTUP, new Actor("line\nbreak \"quoted\"", null), null,
				Map.of("text", "\r\nforged"));
		String line = this.lines.list.getLast().getFormattedMessage();
		assertThat(line).doesNotContain("\n", "\r");
		assertThat(json(line).path("actor").asString()).isEqualTo("line\nbreak \"quoted\"");
	}

	@Test
	void whatIsRolledBackIsInNeither() {
		this.transaction.executeWithoutResult((status) -> {
			this.audit.record(AuditAction.USER_UPDATED, new Actor("a-nobody", null), null, Map.of());
			status.setRollbackOnly();
		});
		assertThat(this.lines.list).noneMatch((line) -> line.getFormattedMessage().contains("a-nobody"));
		assertThat(page("?user=a-nobody")).isEmpty();
	}

	@Test
	void aFloodOfFailuresIsCountedNotStored() {
		this.server.user("a-dora");
		for (int i = 0; i < 60; i++) {
			post("/api/auth/login", Map.of("username", "a-dora", "password", "a wrong password " + i)).expect(401);
			post("/api/auth/login", Map.of("username", "a-stranger-" + i, "password", "hunter")).expect(401);
		}
		assertThat(page("?user=a-dora&action=authn_login_fail")).hasSizeBetween(1, 20);
		assertThat(this.database.queryForObject(
				"SELECT COUNT(*) FROM audit_event WHERE action = 'authn_login_fail' AND actor IS NULL", Integer.class))
			.isBetween(1, 20);
		assertThat(this.database.queryForList("SELECT actor FROM audit_event", String.class))
			.doesNotContain("a-stranger-0");
		this.audit.summarize();
		assertThat(page("?action=authn_login_fail"))
			.anySatisfy((event) -> assertThat(event.path("detail").path("suppressed").asInt()).isGreaterThan(50));
	}

	@Test
	void pagesById() {
		for (int i = 0; i < 7; i++) {
			this.audit.record(AuditAction.USER_UPDATED, new Actor("a-emil", null), null, Map.of("number", i));
		}
		List<Integer> numbers = new ArrayList<>();
		String before = "";
		do {
			JsonNode page = olga().get(PATH + "?user=a-emil&limit=3" + before).expect(200).body();
			page.path("events").forEach((event) -> numbers.add(event.path("detail").path("number").asInt()));
			before = page.path("next").isNumber() ? "&before=" + page.path("next").asLong() : "";
		}
		while (!before.isEmpty());
		assertThat(numbers).containsExactly(6, 5, 4, 3, 2, 1, 0);
		for (String query : List.of("?limit=0", "?limit=501", "?limit=x", "?before=x", "?action=nothing", "?action=")) {
			assertThat(olga().get(PATH + query).expect(400).code()).isEqualTo("bad-request");
		}
		assertThat(page("?user=" + "x".repeat(5_000))).isEmpty();
	}

	@Test
	void deletesWhatIsOlderThanTheRetentionTime() {
		Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
		for (int days : List.of(366, 364)) {
			this.events.add(new AuditEvent(0, now.minus(days, ChronoUnit.DAYS), "user_updated", "a-" + days, null, null,
					"node", null));
		}
		this.retention.deleteOld();
		assertThat(page("?user=a-366")).isEmpty();
		assertThat(page("?user=a-364")).hasSize(1);
	}

	private ChatApi olga() {
		return this.server.user("olga");
	}

	private ChatApi.Answer post(String path, Map<String, ?> body) {
		return this.server.anonymous().post(path, body);
	}

	private void change(String user, Map<String, ?> change) {
		olga().patch("/api/operator/users/" + user, change).expect(200);
	}

	private static JsonNode json(String text) {
		return ChatApi.JSON.readTree(text);
	}

	private List<JsonNode> page(String query) {
		JsonNode events = olga().get(PATH + query).expect(200).body().path("events");
		return StreamSupport.stream(events.spliterator(), false).toList();
	}

	/** Returns the actions about a user, the oldest first. */
	private List<String> actions(String user) {
		return page("?user=" + user).reversed().stream().map((event) -> event.path("action").asString()).toList();
	}

}
