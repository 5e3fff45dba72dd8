package io.parley.store;

import java.util.List;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

class RoleMigrationTests {

	@Test
	void givesExistingRoomsAnOwner() {
		DriverManagerDataSource database = new DriverManagerDataSource("jdbc:h2:mem:roles;DB_CLOSE_DELAY=-1");
		migrate(database, "classpath:db/migration/h2");
		new JdbcTemplate(database).execute("SHUTDOWN");
	}

	/** Migrates rooms from the version before roles. */
	static void migrate(DriverManagerDataSource database, String migrations) {
		FluentConfiguration flyway = Flyway.configure().dataSource(database).locations(migrations);
		flyway.target("9?").load().migrate();
		JdbcTemplate jdbc = new JdbcTemplate(database);
		room(jdbc, "created", "group", "cleo", "anna", "bert", "cleo");
		room(jdbc, "left", "channel", "gone", "zoe", "anna");
		room(jdbc, "direct", "direct", "anna", "anna", "bert");
		room(jdbc, "empty", "group", "anna");
		flyway.target("latest").load().migrate();
		assertThat(roles(jdbc, "created")).containsExactly("anna member", "bert member", "cleo owner");
		assertThat(roles(jdbc, "left")).containsExactly("anna member", "zoe owner");
		assertThat(roles(jdbc, "direct")).containsExactly("anna member", "bert member");
		assertThat(jdbc.queryForList("SELECT id FROM room WHERE invite_only", String.class)).isEmpty();
		// As a server of the version before does.
		jdbc.update("INSERT INTO room_member (room_id, username, joined_at) VALUES ('left', 'late', '2026-07-01')");
		assertThat(roles(jdbc, "left")).contains("late member");
	}

	/** Inserts a room whose members joined in the order given. */
	private static void room(JdbcTemplate jdbc, String id, String kind, String creator, String... members) {
		jdbc.update("""
				INSERT INTO room (id, name, kind, member_count, created_by, created_at)
				VALUES (?, ?, ?, ?, ?, '2026-01-01 00:00:00')""", id, id, kind, members.length, creator);
		for (int i = 0; i < members.length; i++) {
			jdbc.update("INSERT INTO room_member (room_id, username, joined_at) VALUES (?, ?, ?)", id, members[i],
					"2026-01-0" + (i + 1) + " 00:00:00");
		}
	}

	private static List<String> roles(JdbcTemplate jdbc, String room) {
		return jdbc.queryForList(
				"SELECT CONCAT(username, ' ', role) FROM room_member WHERE room_id = ? ORDER BY username", String.class,
				room);
	}

}
