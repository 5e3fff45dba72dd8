package io.parley.store.room;

import java.time.Instant;

import io.parley.store.StoreTest;
import io.parley.store.account.Account;
import io.parley.store.account.AccountRepository;
import io.parley.store.account.AccountState;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The succession of owners of a room. */
@StoreTest
class SuccessionTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

	private final RoomRepository rooms;

	private final Memberships memberships;

	private final RoomRoleRepository roles;

	private final AccountRepository accounts;

	SuccessionTests(RoomRepository rooms, Memberships memberships, RoomRoleRepository roles,
			AccountRepository accounts) {
		this.rooms = rooms;
		this.memberships = memberships;
		this.roles = roles;
		this.accounts = accounts;
	}

	@Test
	void aDisabledUserInheritsOnlyIfThereIsNobodyElse() {
		room("inherited-by", "first", "gone", "last");
		this.roles.change("inherited-by", "inherited-by-gone", RoomRole.MODERATOR);
		this.accounts.setStatus("inherited-by-gone", AccountState.DISABLED, false, NOW);
		this.memberships.leave("inherited-by", "inherited-by-first", NOW);
		assertThat(this.roles.roleOf("inherited-by", "inherited-by-last")).isEqualTo(RoomRole.OWNER);
		this.memberships.leave("inherited-by", "inherited-by-last", NOW);
		assertThat(this.roles.roleOf("inherited-by", "inherited-by-gone")).isEqualTo(RoomRole.OWNER);
	}

	@Test
	void aRoomOfADisabledUserIsNotPassedOnToAnother() {
		room("passed-on", "first", "gone", "last");
		this.accounts.setStatus("passed-on-first", AccountState.DISABLED, false, NOW);
		this.accounts.setStatus("passed-on-gone", AccountState.DISABLED, false, NOW);
		assertThat(this.roles.passOn("passed-on", "passed-on-first")).isNotNull();
		assertThat(this.roles.roleOf("passed-on", "passed-on-last")).isEqualTo(RoomRole.OWNER);
	}

	/** Creates a room with users who join one after the other. */
	private void room(String id, String... names) {
		this.rooms.save(new Room(id, id, RoomKind.CHANNEL, null, 0, null, "creator", NOW, false));
		for (int i = 0; i < names.length; i++) {
			this.accounts.save(new Account(id + "-" + names[i], "hash", NOW));
			this.memberships.join(id, id + "-" + names[i], NOW.plusSeconds(i));
		}
	}

}
