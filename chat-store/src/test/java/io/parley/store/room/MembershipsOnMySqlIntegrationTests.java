package io.parley.store.room;

import io.parley.store.OnMySql;

@OnMySql
class MembershipsOnMySqlIntegrationTests extends MembershipsTests {

	MembershipsOnMySqlIntegrationTests(RoomRepository rooms, MemberRepository members, Memberships memberships,
			UnconfirmedChanges changes, RoomRoleRepository roles) {
		super(rooms, members, memberships, changes, roles);
	}

}
