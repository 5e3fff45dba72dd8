package io.parley.store.push;

import io.parley.store.OnMySql;
import io.parley.store.presence.NodePresence;
import io.parley.store.presence.RoomPresence;
import io.parley.store.room.MemberRepository;

import org.springframework.jdbc.core.JdbcTemplate;

@OnMySql
class PushRecipientsOnMySqlIntegrationTests extends PushRecipientsTests {

	PushRecipientsOnMySqlIntegrationTests(PushRecipients recipients, MemberRepository members,
			PushSettingRepository settings, RoomPresence followers, NodePresence nodes, JdbcTemplate jdbc) {
		super(recipients, members, settings, followers, nodes, jdbc);
	}

}
