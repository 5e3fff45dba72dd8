package io.parley.store.push;

import io.parley.store.OnMySql;
import io.parley.store.account.AccountRepository;

import org.springframework.jdbc.core.JdbcTemplate;

@OnMySql
class DevicesOnMySqlIntegrationTests extends DeviceRepositoryTests {

	DevicesOnMySqlIntegrationTests(DeviceRepository devices, AccountRepository accounts, JdbcTemplate jdbc) {
		super(devices, accounts, jdbc);
	}

}
