package io.parley.conformance.authorization;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.parley.server.testing.AuthorizationTable.Caller;
import io.parley.server.testing.AuthorizationTable.Row;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import org.awaitility.Awaitility;

import org.springframework.security.oauth2.jwt.JwtEncoder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Brings users into the states of the table. The states are made on one server; the calls
 * go to it or to another one. Users and their states are made first, all together,
 * because another server hears of a state a moment later. Each call that changes
 * something gets its own room.
 */
final class World {

	private final Rooms rooms;

	private final People people;

	private final ChatServer server;

	/** Those who make calls that do not change them. */
	private final Map<Caller, Person> shared = new EnumMap<>(Caller.class);

	/** Those whose sign-ins, devices or account are changed by the call. */
	private final Map<Row, Map<Caller, Person>> own = new HashMap<>();

	/**
	 * Makes the callers.
	 * @param home where the states are made
	 * @param server where the calls go
	 * @param encoder signs tokens like both servers
	 * @param rows the calls
	 * @param callers who makes them
	 */
	World(ChatServer home, ChatServer server, JwtEncoder encoder, List<Row> rows, List<Caller> callers) {
		this.server = server;
		this.people = new People(home, encoder);
		this.rooms = new Rooms(this.people);
		for (Caller caller : callers) {
			this.shared.put(caller, this.people.make(caller, rows, this.rooms));
			rows.stream()
				.filter((row) -> changesTheCaller(row, caller))
				.forEach((row) -> this.own.computeIfAbsent(row, (key) -> new EnumMap<>(Caller.class))
					.put(caller, this.people.make(caller, List.of(row), this.rooms)));
		}
		for (Caller caller : callers) {
			awaitKnown(caller, person(caller));
			this.own.values()
				.stream()
				.filter((persons) -> persons.containsKey(caller))
				.forEach((persons) -> awaitKnown(caller, get(persons, caller)));
		}
	}

	private static boolean changesTheCaller(Row row, Caller caller) {
		return !row.refuses(caller) && row.endpoint().matches("/api/(auth|me|devices).*|/api/operator/users/.*");
	}

	private void awaitKnown(Caller caller, Person person) {
		ChatApi api = new ChatApi(this.server, person.name(), person.token());
		Awaitility.await().atMost(Duration.ofSeconds(30)).pollDelay(Duration.ZERO).untilAsserted(() -> {
			switch (caller) {
				case ENDED, DISABLED -> assertThat(api.get("/api/rooms").code()).isEqualTo("signed-out");
				case SUSPENDED -> assertThat(api.put("/api/me/notifications", Map.of()).code()).isEqualTo("suspended");
				case OPERATOR -> assertThat(api.get("/api/operator/invites").status()).isEqualTo(200);
				default -> {
				}
			}
		});
	}

	private Person person(Caller caller) {
		return get(this.shared, caller);
	}

	private static Person get(Map<Caller, Person> callers, Caller caller) {
		Person person = callers.get(caller);
		if (person == null) {
			throw new IllegalStateException("There is no caller " + caller);
		}
		return person;
	}

	/** Makes what one call meets. */
	Situation situation(Row row, Caller caller) {
		Person person = get(changesTheCaller(row, caller) ? this.own.getOrDefault(row, Map.of()) : this.shared, caller);
		Map<String, String> values = new HashMap<>(this.rooms.room(row, caller, person));
		values.put("unused", this.people.unusedName());
		values.put("later", Instant.now().plusSeconds(3_600).toString());
		if (row.uses("fresh")) {
			values.put("fresh", (row.refuses(caller) ? this.people.known("fresh") : this.people.register()).name());
		}
		if (row.uses("format")) {
			values.put("format", this.people.recordFormat());
		}
		if (row.uses("accountinvite")) {
			values.put("accountinvite", this.people.accountInvite());
		}
		return person.in(values);
	}

}
