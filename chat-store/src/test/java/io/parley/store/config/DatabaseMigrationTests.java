package io.parley.store.config;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;

import io.parley.log.config.KnownPasswordException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DatabaseMigrationTests {

	@TempDir
	private Path directory;

	@Test
	void createsTheTablesAndMayBeRepeated() throws Exception {
		String url = "jdbc:h2:file:" + this.directory.resolve("db");
		DatabaseMigration.main(arguments(url));
		DatabaseMigration.main(arguments(url));
		try (Connection connection = DriverManager.getConnection(url, "sa", "");
				Statement statement = connection.createStatement();
				ResultSet formats = statement.executeQuery("SELECT version FROM record_format")) {
			assertThat(formats.next()).isTrue();
		}
	}

	@Test
	void refusesAKnownPasswordOfAnotherMachine() {
		assertThatThrownBy(() -> DatabaseMigration.main(arguments("jdbc:mysql://db-1.invalid/parley"))).rootCause()
			.isInstanceOf(KnownPasswordException.class);
	}

	private static String[] arguments(String url) {
		return new String[] { "--spring.datasource.url=" + url, "--spring.datasource.username=sa",
				"--spring.main.banner-mode=off" };
	}

}
