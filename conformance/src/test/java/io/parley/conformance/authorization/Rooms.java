package io.parley.conformance.authorization;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import io.parley.conformance.authorization.People.Registered;
import io.parley.server.testing.AuthorizationTable.Caller;
import io.parley.server.testing.AuthorizationTable.Row;
import io.parley.server.testing.ChatApi;
import tools.jackson.databind.JsonNode;

/** Opens rooms in which the caller is what the table says. */
final class Rooms {

	private static final String GUESSED = "AAAAAAAAAAAAAAAAAAAAAA";

	private final People people;

	Rooms(People people) {
		this.people = people;
	}

	/** Opens the room of a caller who cannot be in a new room later. */
	Map<String, String> before(Caller caller, Registered user) {
		if (caller == Caller.BLOCKED) {
			return Map.of("room", this.people.known("blocker").api().openDirect(user.name()));
		}
		return open("group", caller, user.name(), user.api(), (need) -> true);
	}

	/** Opens the room of a call, if the call needs one. */
	Map<String, String> room(Row row, Caller caller, Person person) {
		String peer = this.people.known((caller == Caller.BLOCKED) ? "blocker" : "target").name();
		Map<String, String> values = new HashMap<>(Map.of("target", peer, "outsider",
				(caller == Caller.BLOCKED) ? peer : this.people.known("outsider").name(), "outlaw",
				this.people.known("outlaw").name()));
		if (!row.uses("room") && !row.uses("link")) {
			return values;
		}
		String kind = row.item("room");
		if (caller.isNobody()
				|| (caller == Caller.BLOCKED && row.uses("room") && (kind.isEmpty() || kind.equals("direct")))) {
			values.putAll(person.room());
		}
		else if (kind.equals("direct")) {
			Registered target = this.people.known("target");
			values.put("room", caller.isOutside() ? this.people.known("founder").api().openDirect(target.name())
					: target.api().openDirect(person.name()));
		}
		else {
			values.putAll(open(kind.isEmpty() ? "group" : kind, caller, person.name(), person.home(), row::uses));
		}
		return values;
	}

	/**
	 * Opens a group or channel.
	 * @param needs what the call needs there
	 */
	Map<String, String> open(String kind, Caller caller, String name, ChatApi user, Predicate<String> needs) {
		boolean owns = caller == Caller.OWNER || caller.isNobody();
		ChatApi lead = owns ? user : this.people.known("founder").api();
		List<String> members = new ArrayList<>();
		if (!owns && caller != Caller.STRANGER && caller != Caller.INVITED && caller != Caller.OPERATOR) {
			members.add(name);
		}
		if (needs.test("target")) {
			members.add(this.people.known((caller == Caller.BLOCKED) ? "blocker" : "target").name());
		}
		String[] all = members.toArray(String[]::new);
		String room = kind.equals("channel") ? lead.openChannel("n", all) : lead.openGroup("n", all);
		Map<String, String> values = new HashMap<>(Map.of("room", room));
		if (needs.test("outlaw")) {
			lead.put("/api/rooms/" + room + "/bans/" + this.people.known("outlaw").name(), Map.of()).expect(204);
		}
		if (needs.test("link") || needs.test("linkid")) {
			JsonNode link = lead.post("/api/rooms/" + room + "/invites", Map.of()).expect(201).body();
			values.put("linkid", link.path("id").asString());
			values.put("link",
					(caller == Caller.STRANGER || caller == Caller.OPERATOR) ? GUESSED : link.path("token").asString());
		}
		give(caller, lead, room, name);
		return values;
	}

	private static void give(Caller caller, ChatApi lead, String room, String name) {
		switch (caller) {
			case BANNED -> lead.leave(room, name).expect(204);
			case READER -> lead.changeRole(room, name, "reader").expect(200);
			case MODERATOR -> lead.changeRole(room, name, "moderator").expect(200);
			case SUSPENDED -> lead.changeRole(room, name, "owner").expect(200);
			case MUTED -> lead.put("/api/rooms/" + room + "/mutes/" + name,
					Map.of("until", Instant.now().plusSeconds(3_600).toString()))
				.expect(204);
			default -> {
			}
		}
	}

}
