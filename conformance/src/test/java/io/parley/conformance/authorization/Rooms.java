package io.parley.conformance.authorization;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import io.parley.conformance.authorization.People.Registered;
import io.parley.server.testing.AuthorizationTable.Caller;
import io.parley.server.testing.AuthorizationTable.Row;
import io.parley.server.testing.ChatApi;
import tools.jackson.databind.JsonNode;

/** Opens rooms in which the caller is what the table says. */
final class Rooms {

	private static final Set<String> READS = Set.of("GET", "SUBSCRIBE");

	/** The things that a call may need in a room. */
	private static final List<String> NEEDS = List.of("target", "outlaw", "link", "linkid", "message", "own", "report");

	private static final String GUESSED = "AAAAAAAAAAAAAAAAAAAAAA";

	private final People people;

	/** The rooms of calls that change nothing. */
	private final Map<List<String>, Map<String, String>> unchanged = new HashMap<>();

	Rooms(People people) {
		this.people = people;
	}

	/** Opens the room of a caller who cannot be in a new room later. */
	Map<String, String> before(Caller caller, Registered user) {
		if (caller == Caller.BLOCKED) {
			return withBlocker(user.name(), user.api());
		}
		return open("group", caller, user.name(), user.api(), (need) -> true);
	}

	/** Opens a direct room with the user who is going to block the caller. */
	Map<String, String> withBlocker(String name, ChatApi user) {
		String room = this.people.blocker().openDirect(name);
		String message = message(this.people.blocker(), room);
		return Map.of("room", room, "message", message, "own", message(user, room), "report",
				report(user, room, String.valueOf(this.people.blocker().say(room, "reported", "text"))));
	}

	/**
	 * Opens the room of a call, if the call needs one. Calls that change nothing share
	 * it.
	 */
	Map<String, String> room(Row row, Caller caller, Person person) {
		String kind = row.item("room");
		Map<String, String> values = new HashMap<>(others(caller, !kind.equals("direct")));
		boolean withBlocker = caller == Caller.BLOCKED && row.uses("room") && (kind.isEmpty() || kind.equals("direct"));
		if (!row.uses("room") && !row.uses("link") && !row.uses("report")) {
			return values;
		}
		if (caller.isNobody() || withBlocker) {
			values.putAll(person.room());
		}
		else if (kind.equals("direct")) {
			Registered target = this.people.known("target");
			values.put("room", caller.isOutside() ? this.people.founder().openDirect(target.name())
					: target.api().openDirect(person.name()));
		}
		else if (row.refuses(caller) || READS.contains(row.method())) {
			List<String> key = new ArrayList<>(List.of(caller.heading(), person.name(), kind));
			NEEDS.stream().filter(row::uses).forEach(key::add);
			values.putAll(this.unchanged.computeIfAbsent(key, (none) -> open(kind, caller, person, row)));
		}
		else {
			values.putAll(open(kind, caller, person, row));
		}
		return values;
	}

	private Map<String, String> open(String kind, Caller caller, Person person, Row row) {
		return open(kind.isEmpty() ? "group" : kind, caller, person.name(), person.home(), row::uses);
	}

	/**
	 * Returns the other users of a call.
	 * @param blockerOutside whether a user who has blocked the caller stands for one who
	 * is not a member
	 */
	Map<String, String> others(Caller caller, boolean blockerOutside) {
		boolean blocked = caller == Caller.BLOCKED;
		return Map.of("target", this.people.known(blocked ? "blocker" : "target").name(), "outsider",
				this.people.known((blocked && blockerOutside) ? "blocker" : "outsider").name(), "outlaw",
				this.people.known("outlaw").name());
	}

	/**
	 * Opens a group or channel.
	 * @param needs what the call needs there
	 */
	Map<String, String> open(String kind, Caller caller, String name, ChatApi user, Predicate<String> needs) {
		boolean owns = caller == Caller.OWNER || caller.isNobody();
		ChatApi lead = owns ? user : this.people.founder();
		List<String> members = new ArrayList<>();
		if (!owns && caller != Caller.STRANGER && caller != Caller.INVITED && caller != Caller.OPERATOR) {
			members.add(name);
		}
		if (needs.test("target") || needs.test("message") || needs.test("report")) {
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
		if (needs.test("report")) {
			Registered other = this.people.known((caller == Caller.BLOCKED) ? "blocker" : "target");
			values.put("report", report(lead, room, String.valueOf(other.api().say(room, "reported", "text"))));
		}
		if (needs.test("message") || needs.test("own")) {
			Registered other = this.people.known((caller == Caller.BLOCKED) ? "blocker" : "target");
			String message = message(needs.test("message") ? other.api() : lead, room);
			boolean writes = caller != Caller.SUSPENDED && (owns || members.contains(name));
			values.put("message", message);
			values.put("own", writes ? message(user, room) : message);
		}
		give(caller, lead, room, name);
		return values;
	}

	private static String message(ChatApi author, String room) {
		return String.valueOf(author.say(room, "message", "text"));
	}

	/** Reports a message of somebody else and returns the id of the report. */
	private static String report(ChatApi reporter, String room, String message) {
		return reporter.post("/api/rooms/" + room + "/messages/" + message + "/report", Map.of("reason", "r"))
			.expect(201)
			.body()
			.path("id")
			.toString();
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
