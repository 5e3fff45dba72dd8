package io.parley.store;

import java.time.LocalDateTime;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

class UtcMigrationTests {

	@Test
	void keepsTheInstantsStoredBefore() {
		DriverManagerDataSource database = new DriverManagerDataSource(
				"jdbc:h2:mem:utc;DB_CLOSE_DELAY=-1;TIME ZONE=Europe/Berlin");
		FluentConfiguration flyway = Flyway.configure().dataSource(database).locations("classpath:db/migration/h2");
		flyway.target("1").load().migrate();
		JdbcTemplate jdbc = new JdbcTemplate(database);
		jdbc.update("INSERT INTO node_lease (node, expires_at) VALUES ('n', TIMESTAMP '2026-07-01 12:00:00.5+02:00')");
		flyway.target("latest").load().migrate();
		assertThat(jdbc.queryForObject("SELECT expires_at FROM node_lease", LocalDateTime.class))
			.isEqualTo(LocalDateTime.parse("2026-07-01T10:00:00.5"));
		jdbc.execute("SHUTDOWN");
	}

}
