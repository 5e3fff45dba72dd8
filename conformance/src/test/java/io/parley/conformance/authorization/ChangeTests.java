package io.parley.conformance.authorization;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.parley.server.testing.AuthorizationTable;
import io.parley.server.testing.AuthorizationTable.Caller;
import io.parley.server.testing.AuthorizationTable.Row;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.TwoServers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

import org.springframework.security.oauth2.jwt.JwtEncoder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A user loses something while connected to the other server. With the same token and in
 * the same session, all that the table refuses from then on is refused, and what the user
 * may not read is not delivered. Unless at full size, each call is made after one of the
 * changes that take it away.
 */
class ChangeTests {

	private static final boolean ALL = Boolean.getBoolean("parley.test.full-size");

	/**
	 * Changes are promised within a second, or two when a signal is lost. Leaves time for
	 * a busy machine, and ends long before the caches of the server expire.
	 */
	private static final Duration SOON = Duration.ofSeconds(10);

	private static final int SIGNED_OUT = 4403;

	private static final TwoServers servers = TwoServers.onBus();

	private static final People people = new People(servers.one(), servers.bean(JwtEncoder.class));

	private final List<Row> rows = AuthorizationTable.read();

	private final Rooms rooms = new Rooms(people);

	private final Calls calls = new Calls(servers.two());

	@AfterAll
	static void stop() {
		servers.close();
	}

	@ParameterizedTest
	@EnumSource
	void takesAwayWhatTheTableSays(Change change) {
		Situation situation = situation(change);
		Row probe = this.rows.stream().filter((row) -> row.toString().equals(change.probe())).findFirst().orElseThrow();
		List<Row> lost = this.rows.stream().filter((row) -> loses(row, change)).toList();
		assertThat(lost).contains(probe);
		try (StompConnection session = StompConnection.open(servers.two()).connect(situation.token());
				StompConnection watcher = StompConnection.open(servers.two()).connect(watcher(change))) {
			session.subscribe("me", "/user/queue/events");
			if (!change.before().isOutside()) {
				for (StompConnection both : List.of(session, watcher)) {
					both.follow("room", situation.value("room"));
					both.subscribe("signals", "/topic/rooms." + situation.value("room") + ".signals");
				}
			}
			expect(change.before(), probe, situation, session);
			change.make(people, situation);
			expect(change.after(), probe, situation, session);
			if (change.after().isNobody()) {
				assertThat(session.expectClosed()).isEqualTo(SIGNED_OUT);
			}
			lost.stream()
				.filter((row) -> isChosen(row, change))
				.forEach((row) -> expect(change.after(), row, situation, session));
			if (!change.before().isOutside() && change != Change.IS_BLOCKED) {
				assertDelivered(change, situation, session, watcher);
			}
		}
	}

	/** Makes a user, a room, and all that a call may need. */
	private Situation situation(Change change) {
		Map<String, String> values = new HashMap<>(this.rooms.others(change.after(), true));
		Person person = people.make(change.before(), this.rows, this.rooms);
		values.putAll((change == Change.IS_BLOCKED) ? this.rooms.withBlocker(person.name(), person.home())
				: this.rooms.open("group", change.before(), person.name(), person.home(), (need) -> true));
		values.put("unused", people.unusedName());
		values.put("fresh", people.register().name());
		values.put("later", Instant.now().plusSeconds(3_600).toString());
		values.put("format", people.recordFormat());
		values.put("accountinvite", people.accountInvite());
		return person.in(values);
	}

	/** Returns the token of another member, who stays. */
	private String watcher(Change change) {
		return (change == Change.IS_BLOCKED) ? people.blocker().token() : people.known("target").api().token();
	}

	private static boolean loses(Row row, Change change) {
		String kind = row.item("room");
		boolean inThisRoom = kind.isEmpty() || kind.equals((change == Change.IS_BLOCKED) ? "direct" : "group");
		return inThisRoom && row.refuses(change.after())
				&& !row.outcome(change.after()).equals(row.outcome(change.before()));
	}

	private boolean isChosen(Row row, Change change) {
		List<Change> losing = Arrays.stream(Change.values()).filter((other) -> loses(row, other)).toList();
		return ALL || losing.get(this.rows.indexOf(row) % losing.size()) == change;
	}

	private void expect(Caller caller, Row row, Situation situation, StompConnection session) {
		Awaitility.await()
			.alias(row + ", " + caller.heading())
			.atMost(SOON)
			.pollDelay(Duration.ZERO)
			.untilAsserted(
					() -> assertThat(outcome(row, situation, session)).as("%s", row).isEqualTo(row.outcome(caller)));
	}

	/** Uses the same session as long as it is open. */
	private String outcome(Row row, Situation situation, StompConnection session) {
		return (row.isFrame() && !session.isClosed()) ? this.calls.frame(row, situation, session)
				: this.calls.outcome(row, situation);
	}

	/** Lets the other member write, and tells whether the user gets to know it. */
	private void assertDelivered(Change change, Situation situation, StompConnection session, StompConnection watcher) {
		String room = situation.value("room");
		people.known("target").api().say(room, "later", "text");
		watcher.expectMessage("room", "later");
		watcher.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".typing"), "{}");
		watcher.expectEvent("signals", (event) -> isTyping(event, situation));
		if (this.rows.stream().noneMatch((row) -> loses(row, change) && row.method().equals("SUBSCRIBE"))) {
			session.expectMessage("room", "later");
			session.expectEvent("signals", (event) -> isTyping(event, situation));
			return;
		}
		if (!session.isClosed()) {
			session.confirmed("UNSUBSCRIBE", Map.of("id", "none"), "");
		}
		assertThat(session.events("room")).noneMatch((event) -> event.path("clientId").asString("").equals("later"));
		assertThat(session.events("signals")).noneMatch((event) -> isTyping(event, situation));
	}

	private static boolean isTyping(JsonNode event, Situation situation) {
		return event.path("type").asString().equals("typing")
				&& event.path("user").asString().equals(situation.value("target"));
	}

}
