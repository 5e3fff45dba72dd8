package io.parley.store.room;

import io.parley.store.OnMySql;
import io.parley.store.account.AccountRepository;

@OnMySql
class SuccessionOnMySqlIntegrationTests extends SuccessionTests {

	SuccessionOnMySqlIntegrationTests(RoomRepository rooms, Memberships memberships, RoomRoleRepository roles,
			AccountRepository accounts) {
		super(rooms, memberships, roles, accounts);
	}

}
