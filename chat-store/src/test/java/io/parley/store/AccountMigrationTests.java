package io.parley.store;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

class AccountMigrationTests {

	@Test
	void existingAccountsAreActiveAndNoOperators() {
		DriverManagerDataSource database = new DriverManagerDataSource("jdbc:h2:mem:accounts;DB_CLOSE_DELAY=-1");
		migrate(database, "classpath:db/migration/h2");
		new JdbcTemplate(database).execute("SHUTDOWN");
	}

	/** Migrates from the version before states of accounts to the latest. */
	static void migrate(DriverManagerDataSource database, String migrations) {
		FluentConfiguration flyway = Flyway.configure().dataSource(database).locations(migrations);
		flyway.target("7").load().migrate();
		JdbcTemplate jdbc = new JdbcTemplate(database);
		jdbc.update(
				"INSERT INTO account (username, password_hash, created_at) VALUES ('anna', 'hash', '2026-07-01 12:00:00')");
		flyway.target("latest").load().migrate();
		// A server of the previous version inserts without the new columns.
		jdbc.update(
				"INSERT INTO account (username, password_hash, created_at) VALUES ('bert', 'hash', '2026-07-01 12:00:00')");
		assertThat(jdbc.queryForList("SELECT state FROM account WHERE is_operator = FALSE AND changed_at IS NULL",
				String.class))
			.containsExactly("active", "active");
	}

}
