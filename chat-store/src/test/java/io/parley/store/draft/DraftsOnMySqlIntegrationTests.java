package io.parley.store.draft;

import io.parley.store.OnMySql;

import org.springframework.jdbc.core.JdbcTemplate;

@OnMySql
class DraftsOnMySqlIntegrationTests extends DraftsTests {

	DraftsOnMySqlIntegrationTests(Drafts drafts, JdbcTemplate jdbc) {
		super(drafts, jdbc);
	}

}
