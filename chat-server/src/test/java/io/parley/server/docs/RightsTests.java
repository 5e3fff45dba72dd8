package io.parley.server.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the list of rights in MySQL, and the statements made from it. */
class RightsTests {

	private static final Path MIGRATIONS = Document.ROOT.resolve("chat-store/src/main/resources/db/migration/mysql");

	private static final Pattern CREATED = Pattern.compile("CREATE TABLE (?:IF NOT EXISTS )?`?(\\w+)`?");

	private static final Map<String, List<String>> RIGHTS = rights();

	@Test
	void eachTableOfTheMigrationsHasARow() throws IOException {
		assertThat(tables()).hasSizeGreaterThan(20).isSubsetOf(RIGHTS.keySet());
	}

	@Test
	void eachRowIsATable() throws IOException {
		assertThat(RIGHTS.keySet()).isSubsetOf(tables());
	}

	@Test
	void rightsAreWrittenInOneWay() {
		assertThat(RIGHTS.values()).allSatisfy(
				(rights) -> assertThat(rights).hasSize(3).allMatch((letters) -> letters.matches("-|(?=.)s?i?u?d?")));
	}

	/** Deleting is for retention; an entry is never changed. */
	@Test
	void nobodyChangesTheAuditLog() {
		assertThat(RIGHTS.get("audit_event")).containsExactly("sid", "-", "-");
	}

	@Test
	void theWorkersDoNotSeePasswords() {
		for (String table : List.of("account", "account_invite", "sign_in", "password_reset", "audit_event",
				"external_identity", "external_sign_out")) {
			assertThat(RIGHTS.get(table)).as(table).endsWith("-", "-");
		}
	}

	@Test
	void onlyThePersistenceWorkerAndTheServerWriteTheHistory() {
		assertThat(RIGHTS.get("room_event")).containsExactly("siu", "siu", "s");
		assertThat(RIGHTS.get("room_head")).containsExactly("siu", "siu", "s");
	}

	@Test
	void grantsWhatIsListedAndRevokesTheRest() throws Exception {
		assertThat(statements("room_event")).containsExactly(
				"GRANT SELECT, INSERT, UPDATE ON `chat`.`room_event` TO 'parley_server'@'%';",
				"REVOKE IF EXISTS DELETE ON `chat`.`room_event` FROM 'parley_server'@'%' IGNORE UNKNOWN USER;",
				"GRANT SELECT, INSERT, UPDATE ON `chat`.`room_event` TO 'parley_persistence'@'%';",
				"REVOKE IF EXISTS DELETE ON `chat`.`room_event` FROM 'parley_persistence'@'%' IGNORE UNKNOWN USER;",
				"GRANT SELECT ON `chat`.`room_event` TO 'parley_notification'@'%';",
				"REVOKE IF EXISTS INSERT, UPDATE, DELETE ON `chat`.`room_event` FROM 'parley_notification'@'%' IGNORE UNKNOWN USER;");
	}

	@Test
	void grantsNothingOnTablesThatDoNotExist() throws Exception {
		assertThat(statements("flyway_schema_history", "of_somebody_else")).isEmpty();
		assertThat(statements()).isEmpty();
	}

	@Test
	void grantsOnEachTable() throws Exception {
		List<String> all = statements(RIGHTS.keySet().toArray(String[]::new));
		assertThat(RIGHTS.keySet()).allSatisfy(
				(table) -> assertThat(all).anyMatch((line) -> line.startsWith("GRANT ") && line.contains(table)));
		assertThat(all).noneMatch((line) -> line.contains("ALL PRIVILEGES") || line.contains("GRANT OPTION"));
	}

	@Test
	void theUsersGetNoRightsOnTheDatabase() throws Exception {
		String users = Shell.bash("SECRETS=$(mktemp -d); mkdir $SECRETS/secrets;"
				+ " for program in migration server persistence notification backup; do"
				+ " echo of-$program >$SECRETS/secrets/mysql-$program; done;"
				+ " . scripts/database.sh; mysql_users my_chat; rm -r $SECRETS");
		assertThat(users.lines().filter((line) -> line.startsWith("GRANT"))).containsExactly(
				"GRANT ALL PRIVILEGES ON `my\\_chat`.* TO 'parley_migration'@'%';",
				"GRANT SELECT, SHOW VIEW, TRIGGER ON `my\\_chat`.* TO 'parley_backup'@'%';");
		assertThat(users).contains("ALTER USER 'parley_server'@'%' IDENTIFIED BY 'of-server';")
			.contains("CREATE USER IF NOT EXISTS 'parley_persistence'@'%' IDENTIFIED BY 'of-persistence';");
	}

	private static List<String> statements(String... existing) throws Exception {
		String printed = Shell
			.bash("printf '%s\\n' " + String.join(" ", existing) + " | (. scripts/database.sh; mysql_rights chat)");
		return printed.lines().toList();
	}

	private static Set<String> tables() throws IOException {
		try (Stream<Path> migrations = Files.list(MIGRATIONS)) {
			return migrations.flatMap((file) -> CREATED.matcher(Document.text(file)).results())
				.map((table) -> table.group(1))
				.collect(Collectors.toCollection(TreeSet::new));
		}
	}

	private static Map<String, List<String>> rights() {
		Map<String, List<String>> rights = new TreeMap<>();
		Document.read("deploy/mysql/rights.txt")
			.lines()
			.stream()
			.filter((line) -> !line.startsWith("#") && !line.isBlank())
			.map((line) -> List.of(line.split("\\s+")))
			.forEach((columns) -> rights.put(columns.getFirst(), columns.subList(1, columns.size())));
		return rights;
	}

}
