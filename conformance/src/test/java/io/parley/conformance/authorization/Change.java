package io.parley.conformance.authorization;

import java.util.Map;

import io.parley.server.testing.AuthorizationTable.Caller;

import static io.parley.server.testing.AuthorizationTable.Caller.BANNED;
import static io.parley.server.testing.AuthorizationTable.Caller.BLOCKED;
import static io.parley.server.testing.AuthorizationTable.Caller.DISABLED;
import static io.parley.server.testing.AuthorizationTable.Caller.ENDED;
import static io.parley.server.testing.AuthorizationTable.Caller.INVITED;
import static io.parley.server.testing.AuthorizationTable.Caller.MEMBER;
import static io.parley.server.testing.AuthorizationTable.Caller.MODERATOR;
import static io.parley.server.testing.AuthorizationTable.Caller.MUTED;
import static io.parley.server.testing.AuthorizationTable.Caller.OPERATOR;
import static io.parley.server.testing.AuthorizationTable.Caller.OWNER;
import static io.parley.server.testing.AuthorizationTable.Caller.READER;
import static io.parley.server.testing.AuthorizationTable.Caller.STRANGER;
import static io.parley.server.testing.AuthorizationTable.Caller.SUSPENDED;

/** A change that takes something away from a connected user. */
enum Change {

	LEAVES(MEMBER, INVITED, "GET /api/rooms/{room}") {
		@Override
		void make(People people, Situation of) {
			people.api(of).leave(of.value("room"), of.value("self")).expect(204);
		}
	},

	IS_REMOVED(MEMBER, BANNED, Change.TYPING) {
		@Override
		void make(People people, Situation of) {
			people.founder().leave(of.value("room"), of.value("self")).expect(204);
		}
	},

	IS_BANNED(MODERATOR, BANNED, Change.TYPING) {
		@Override
		void make(People people, Situation of) {
			people.founder().put(of.in("bans"), Map.of()).expect(204);
		}
	},

	BECOMES_A_READER(MEMBER, READER, Change.TYPING) {
		@Override
		void make(People people, Situation of) {
			people.founder().changeRole(of.value("room"), of.value("self"), "reader").expect(200);
		}
	},

	IS_NO_MODERATOR_ANY_MORE(MODERATOR, MEMBER, "GET /api/rooms/{room}/bans") {
		@Override
		void make(People people, Situation of) {
			people.founder().changeRole(of.value("room"), of.value("self"), "member").expect(200);
		}
	},

	HANDS_THE_ROOM_OVER(OWNER, MODERATOR,
			"PUT /api/rooms/{room}/members/{username} username=$self {\"role\":\"owner\"}") {
		@Override
		void make(People people, Situation of) {
			people.api(of).join(of.value("room"), of.value("fresh")).expect(201);
			people.api(of).changeRole(of.value("room"), of.value("fresh"), "owner").expect(200);
		}
	},

	IS_MUTED(MEMBER, MUTED, Change.TYPING) {
		@Override
		void make(People people, Situation of) {
			people.founder().put(of.in("mutes"), Map.of("until", of.value("later"))).expect(204);
		}
	},

	IS_SUSPENDED(OWNER, SUSPENDED, Change.TYPING) {
		@Override
		void make(People people, Situation of) {
			people.change(of.value("self"), Map.of("state", "suspended"));
		}
	},

	IS_DISABLED(OWNER, DISABLED, "GET /api/rooms") {
		@Override
		void make(People people, Situation of) {
			people.change(of.value("self"), Map.of("state", "disabled"));
		}
	},

	SIGNS_THE_DEVICE_OUT(OWNER, ENDED, "GET /api/rooms") {
		@Override
		void make(People people, Situation of) {
			people.signIn(of.value("self")).delete("/api/me/sign-ins").expect(204);
		}
	},

	IS_NO_OPERATOR_ANY_MORE(OPERATOR, STRANGER, "GET /api/operator/users") {
		@Override
		void make(People people, Situation of) {
			people.change(of.value("self"), Map.of("operator", false));
		}
	},

	IS_BLOCKED(MEMBER, BLOCKED, Change.TYPING) {
		@Override
		void make(People people, Situation of) {
			people.blocker().put("/api/blocks/" + of.value("self"), Map.of()).expect(204);
		}
	};

	private static final String TYPING = "SEND /app/rooms.{room}.typing {}";

	private final Caller before;

	private final Caller after;

	private final String probe;

	/**
	 * @param probe the call that shows when the server knows it; it changes nothing
	 */
	Change(Caller before, Caller after, String probe) {
		this.before = before;
		this.after = after;
		this.probe = probe;
	}

	/** Makes the change on the first server. */
	abstract void make(People people, Situation of);

	Caller before() {
		return this.before;
	}

	Caller after() {
		return this.after;
	}

	String probe() {
		return this.probe;
	}

}
