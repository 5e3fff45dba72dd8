package io.parley.store.room;

import io.parley.store.OnMySql;

@OnMySql
class RoomMembersOnMySqlIntegrationTests extends RoomMembersTests {

	RoomMembersOnMySqlIntegrationTests(RoomRepository rooms, MemberRepository members, RoomMembers roomMembers) {
		super(rooms, members, roomMembers);
	}

}
