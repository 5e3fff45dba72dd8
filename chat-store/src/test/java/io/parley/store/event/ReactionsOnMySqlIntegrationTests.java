package io.parley.store.event;

import io.parley.store.OnMySql;

import org.springframework.jdbc.core.JdbcTemplate;

@OnMySql
class ReactionsOnMySqlIntegrationTests extends ReactionRepositoryTests {

	ReactionsOnMySqlIntegrationTests(ReactionRepository reactions, MessageStateRepository states, JdbcTemplate jdbc) {
		super(reactions, states, jdbc);
	}

}
