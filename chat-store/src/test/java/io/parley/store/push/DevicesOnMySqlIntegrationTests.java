package io.parley.store.push;

import io.parley.store.OnMySql;

import org.springframework.jdbc.core.JdbcTemplate;

@OnMySql
class DevicesOnMySqlIntegrationTests extends DevicesTests {

	DevicesOnMySqlIntegrationTests(Devices devices, JdbcTemplate jdbc) {
		super(devices, jdbc);
	}

}
