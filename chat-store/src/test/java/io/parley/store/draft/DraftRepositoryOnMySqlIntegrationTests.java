package io.parley.store.draft;

import io.parley.store.OnMySql;

import org.springframework.jdbc.core.JdbcTemplate;

@OnMySql
class DraftRepositoryOnMySqlIntegrationTests extends DraftRepositoryTests {

	DraftRepositoryOnMySqlIntegrationTests(DraftRepository drafts, JdbcTemplate jdbc) {
		super(drafts, jdbc);
	}

}
