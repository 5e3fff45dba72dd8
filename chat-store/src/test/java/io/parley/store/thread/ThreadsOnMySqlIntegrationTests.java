package io.parley.store.thread;

import io.parley.store.OnMySql;

import org.springframework.jdbc.core.JdbcTemplate;

@OnMySql
class ThreadsOnMySqlIntegrationTests extends ThreadRepositoryTests {

	ThreadsOnMySqlIntegrationTests(ThreadRepository threads, ThreadMembers members, JdbcTemplate jdbc) {
		super(threads, members, jdbc);
	}

}
