package io.parley.store.push;

import io.parley.store.OnMySql;

import org.springframework.jdbc.core.JdbcTemplate;

@OnMySql
class DevicesOnMySqlIntegrationTests extends DeviceRepositoryTests {

	DevicesOnMySqlIntegrationTests(DeviceRepository devices, JdbcTemplate jdbc) {
		super(devices, jdbc);
	}

}
