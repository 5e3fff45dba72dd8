package io.parley.store;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

class PushMigrationTests {

	@Test
	void keepsExistingData() {
		DriverManagerDataSource database = new DriverManagerDataSource("jdbc:h2:mem:push;DB_CLOSE_DELAY=-1");
		migrate(database, "classpath:db/migration/h2");
		new JdbcTemplate(database).execute("SHUTDOWN");
	}

	/**
	 * Migrates from the version before push, for which MySQL has no script, to the
	 * latest.
	 */
	static void migrate(DriverManagerDataSource database, String migrations) {
		FluentConfiguration flyway = Flyway.configure().dataSource(database).locations(migrations);
		flyway.target("2?").load().migrate();
		JdbcTemplate jdbc = new JdbcTemplate(database);
		jdbc.update("INSERT INTO node_lease (node, expires_at) VALUES ('n', '2026-07-01 12:00:00.5')");
		Flyway latest = flyway.target("latest").load();
		latest.migrate();
		assertThat(latest.info().pending()).isEmpty();
		assertThat(jdbc.queryForMap("SELECT node, renewed_at FROM node_lease")).containsEntry("node", "n")
			.containsEntry("renewed_at", null);
		assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM push_task", Integer.class)).isZero();
	}

}
