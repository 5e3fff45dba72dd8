package io.parley.store.room;

import io.parley.store.OnMySql;

import org.springframework.jdbc.core.JdbcTemplate;

@OnMySql
class RoomRepositoryOnMySqlIntegrationTests extends RoomRepositoryTests {

	RoomRepositoryOnMySqlIntegrationTests(RoomRepository rooms, MemberRepository members, JdbcTemplate jdbc) {
		super(rooms, members, jdbc);
	}

}
