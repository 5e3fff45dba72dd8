package io.parley.store.push;

import io.parley.store.OnMySql;

import org.springframework.jdbc.core.JdbcTemplate;

@OnMySql
class PushSettingsOnMySqlIntegrationTests extends PushSettingRepositoryTests {

	PushSettingsOnMySqlIntegrationTests(PushSettingRepository settings, JdbcTemplate jdbc) {
		super(settings, jdbc);
	}

}
