package io.parley.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

import io.parley.store.config.DatabaseMigration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Gives the programs their rights in MySQL as {@code ./chat up} does, and tries each
 * right and each one beyond. The users have names of this run, because the server is
 * shared.
 */
@ExtendWith(DockerCondition.class)
class RightsIntegrationTests {

	private static final Path ROOT = repository();

	private static final List<String> PROGRAMS = List.of("server", "persistence", "notification");

	private static final String DATABASE = "rights";

	/** One of each user. */
	private static final Map<String, SingleConnectionDataSource> CONNECTIONS = new ConcurrentHashMap<>();

	/** The codes of MySQL for a denied statement. */
	private static final Set<Integer> DENIED = Set.of(1044, 1045, 1142, 1143, 1227);

	/** The code of MySQL for a statement that an option of the server prevents. */
	private static final int READ_ONLY = 1290;

	@BeforeAll
	static void giveRights() throws Exception {
		DatabaseMigration.main(arguments("--spring.main.banner-mode=off"));
		for (String program : PROGRAMS) {
			root().execute("CREATE USER '" + user(program) + "'@'%' IDENTIFIED BY 'of this run'");
			// Rights of before, which the list does not have.
			root().execute(
					"GRANT DELETE ON " + MySqlServer.name(DATABASE) + ".room_event TO '" + user(program) + "'@'%'");
		}
		execute();
		// May be repeated.
		execute();
	}

	@AfterAll
	static void removeUsers() {
		PROGRAMS.forEach((program) -> root().execute("DROP USER IF EXISTS '" + user(program) + "'@'%'"));
		CONNECTIONS.values().forEach(SingleConnectionDataSource::destroy);
	}

	@ParameterizedTest
	@ValueSource(strings = { "server", "persistence", "notification" })
	void eachProgramHasTheRightsOfTheListAndNoOthers(String program) throws IOException {
		JdbcTemplate jdbc = jdbc(user(program));
		Map<String, String> expected = new TreeMap<>();
		Map<String, String> found = new TreeMap<>();
		Set<String> tables = new TreeSet<>(tables());
		rights(program).forEach((table, rights) -> {
			if (tables.contains(table)) {
				expected.put(table, rights.replace("-", ""));
				found.put(table, allowed(jdbc, table));
			}
		});
		assertThat(found).hasSizeGreaterThan(20).isEqualTo(expected);
	}

	@ParameterizedTest
	@ValueSource(strings = { "CREATE TABLE tried (id INT)", "DROP TABLE tried", "ALTER TABLE tried ADD COLUMN x INT",
			"TRUNCATE TABLE tried", "SELECT 1 FROM mysql.user", "CREATE DATABASE parley_tried", "FLUSH TABLES",
			"CREATE USER 'parley_tried'@'%' IDENTIFIED BY 'never made'", "SELECT 1 INTO OUTFILE '/tmp/tried'",
			"GRANT SELECT ON room TO CURRENT_USER()", "SELECT 1 FROM flyway_schema_history" })
	void noProgramMayDoMore(String statement) {
		for (String program : PROGRAMS) {
			assertThat(isAllowed(jdbc(user(program)), statement)).as(program).isFalse();
		}
	}

	@Test
	void eachTableHasARow() throws IOException {
		assertThat(tables()).filteredOn((table) -> !table.equals("flyway_schema_history"))
			.isSubsetOf(rights("server").keySet());
	}

	private static String allowed(JdbcTemplate jdbc, String table) {
		String column = root().queryForObject(
				"SELECT MIN(COLUMN_NAME) FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?",
				String.class, MySqlServer.name(DATABASE), table);
		StringBuilder allowed = new StringBuilder();
		Map<String, String> statements = new TreeMap<>(Map.of("1s", "SELECT 1 FROM " + table + " LIMIT 0", "2i",
				"INSERT INTO " + table + " SELECT * FROM (SELECT 1) none WHERE FALSE", "3u",
				"UPDATE " + table + " SET " + column + " = NULL WHERE FALSE", "4d",
				"DELETE FROM " + table + " WHERE FALSE"));
		statements.forEach((right, statement) -> {
			if (isAllowed(jdbc, statement)) {
				allowed.append(right.charAt(1));
			}
		});
		return allowed.toString();
	}

	/**
	 * A statement that fails after the check of its rights is allowed. A server that is
	 * read-only refuses before that check. Tests of other modules make the server
	 * read-only for a moment, so such a statement is repeated.
	 */
	private static boolean isAllowed(JdbcTemplate jdbc, String statement) {
		int error = await().until(() -> error(jdbc, statement), (code) -> code != READ_ONLY);
		return !DENIED.contains(error);
	}

	/** Returns the error code of MySQL, or 0 if the statement succeeds. */
	private static int error(JdbcTemplate jdbc, String statement) {
		try {
			jdbc.execute(statement);
			return 0;
		}
		catch (DataAccessException ex) {
			assertThat(ex).rootCause().isInstanceOf(SQLException.class);
			return ((SQLException) Objects.requireNonNull(ex.getRootCause())).getErrorCode();
		}
	}

	/**
	 * Executes the statements that {@code ./chat up} executes, for the users of this run.
	 */
	private static void execute() throws Exception {
		ProcessBuilder script = new ProcessBuilder("bash", "-c",
				". scripts/database.sh; mysql_rights " + MySqlServer.name(DATABASE))
			.directory(ROOT.toFile())
			.redirectErrorStream(true);
		Process process = script.start();
		try (var tables = process.getOutputStream()) {
			tables.write((String.join("\n", tables()) + "\n").getBytes(StandardCharsets.UTF_8));
		}
		String statements = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(statements).isZero();
		for (String program : PROGRAMS) {
			statements = statements.replace("'parley_" + program + "'", "'" + user(program) + "'");
		}
		statements.lines().map((line) -> line.replaceFirst(";$", "")).forEach(root()::execute);
	}

	private static Map<String, String> rights(String program) throws IOException {
		Map<String, String> rights = new TreeMap<>();
		for (String line : Files.readAllLines(ROOT.resolve("deploy/mysql/rights.txt"))) {
			if (!line.startsWith("#") && !line.isBlank()) {
				String[] columns = line.split("\\s+");
				rights.put(columns[0], columns[1 + PROGRAMS.indexOf(program)]);
			}
		}
		return rights;
	}

	private static List<String> tables() {
		return root().queryForList("SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = ?",
				String.class, MySqlServer.name(DATABASE));
	}

	private static JdbcTemplate root() {
		return jdbc(MySqlServer.url(DATABASE), MySqlServer.USERNAME, MySqlServer.PASSWORD);
	}

	private static JdbcTemplate jdbc(String user) {
		// Without createDatabaseIfNotExist, which only root may.
		return jdbc(MySqlServer.url(DATABASE).replaceFirst("\\?.*", ""), user, "of this run");
	}

	private static JdbcTemplate jdbc(String url, String user, String password) {
		return new JdbcTemplate(
				CONNECTIONS.computeIfAbsent(user, (name) -> new SingleConnectionDataSource(url, name, password, true)));
	}

	/** At most 32 characters, the limit of MySQL. */
	private static String user(String program) {
		return program + MySqlServer.name("");
	}

	private static String[] arguments(String more) {
		List<String> arguments = new ArrayList<>(List.of(more));
		for (String property : MySqlServer.properties(DATABASE)) {
			arguments.add("--" + property);
		}
		return arguments.toArray(String[]::new);
	}

	private static Path repository() {
		Path directory = Path.of("").toAbsolutePath();
		while (!Files.exists(directory.resolve("deploy/mysql/rights.txt"))) {
			directory = Objects.requireNonNull(directory.getParent());
		}
		return directory;
	}

}
