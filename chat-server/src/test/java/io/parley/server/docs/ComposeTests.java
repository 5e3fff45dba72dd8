package io.parley.server.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests what the containers of the Compose file may do. */
class ComposeTests {

	private static final Map<String, Object> COMPOSE = yaml("docker-compose.yml");

	/** Rights of the images that start as root and then become another user. */
	private static final Map<String, Set<String>> ADDED = Map.of("nginx",
			Set.of("CHOWN", "DAC_OVERRIDE", "KILL", "NET_BIND_SERVICE", "SETGID", "SETUID"), "rabbitmq",
			Set.of("CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"), "mysql",
			Set.of("CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"));

	static Set<String> services() {
		return new TreeSet<>(map(COMPOSE, "services").keySet());
	}

	@ParameterizedTest
	@MethodSource("services")
	void containersCanNotChangeTheirProgramsOrGainRights(String name) {
		Map<String, Object> service = service(name);
		assertThat(service.get("read_only")).isEqualTo(true);
		assertThat(list(service, "cap_drop")).containsExactly("ALL");
		assertThat(new TreeSet<>(list(service, "cap_add")))
			.isEqualTo(new TreeSet<>(ADDED.getOrDefault(name, Set.of())));
		assertThat(list(service, "security_opt")).containsExactly("no-new-privileges:true");
		assertThat(list(service, "tmpfs")).contains("/tmp");
		// Compose refuses "pids_limit" beside other limits.
		assertThat(service).doesNotContainKeys("pids_limit", "privileged", "network_mode", "pid", "ipc", "devices",
				"userns_mode");
		Map<String, Object> limits = map(map(map(service, "deploy"), "resources"), "limits");
		assertThat(limits).containsKey("memory");
		assertThat((Integer) limits.get("pids")).isBetween(50, 5_000);
	}

	@ParameterizedTest
	@MethodSource("services")
	void theLogOfAContainerIsBounded(String name) {
		Map<String, Object> logging = map(service(name), "logging");
		assertThat(logging).containsEntry("driver", "json-file");
		assertThat(map(logging, "options")).containsKeys("max-size", "max-file");
	}

	@ParameterizedTest
	@MethodSource("services")
	void noContainerReachesTheEngine(String name) {
		assertThat(list(service(name), "volumes")).noneMatch((volume) -> volume.contains("docker.sock"));
	}

	@ParameterizedTest
	@MethodSource("services")
	void bindMountsAreReadOnly(String name) {
		assertThat(list(service(name), "volumes")).filteredOn((volume) -> !volume.matches("\\w+-data:.*"))
			.allMatch((volume) -> volume.endsWith(":ro"));
	}

	@Test
	void onlyNginxIsPublished() {
		assertThat(services()).filteredOn((name) -> service(name).containsKey("ports")).containsExactly("nginx");
		assertThat(list(service("nginx"), "ports")).containsExactly("${CHAT_ADDRESS}:${CHAT_PORT}:80");
	}

	@Test
	void databaseAndBrokerHaveNoWayOut() {
		assertThat(map(map(COMPOSE, "networks"), "back")).containsEntry("internal", true);
		for (String name : List.of("mysql", "rabbitmq", "persistence-worker", "migration")) {
			assertThat(list(service(name), "networks")).as(name).containsExactly("back");
		}
		assertThat(list(service("nginx"), "networks")).containsExactly("front");
	}

	@Test
	void noPasswordIsInTheRepository() throws IOException {
		List<Path> files = new ArrayList<>(List.of(Document.ROOT.resolve(".env"),
				Document.ROOT.resolve("docker-compose.yml"), Document.ROOT.resolve("Dockerfile")));
		try (Stream<Path> deployed = Files.walk(Document.ROOT.resolve("deploy"))) {
			deployed.filter(Files::isRegularFile)
				.filter((file) -> !file.toString().contains("/images/"))
				.forEach(files::add);
		}
		assertThat(files).hasSizeGreaterThan(8)
			.flatMap((file) -> Document.text(file).lines().toList())
			.filteredOn((line) -> !line.strip().startsWith("#"))
			// No secret, but the name of an option.
			.filteredOn((line) -> !line.strip().equals("automountServiceAccountToken: false"))
			.noneMatch((line) -> line.matches("(?i).*(password|passwd|_pass|secret|token)\\s*[=:]\\s*[\\w\"'].*"));
	}

	@Test
	void eachSecretIsMadeByTheScript(@TempDir Path directory) throws Exception {
		Shell.java("scripts/MakeSecrets.java", directory.toString());
		for (Object secret : map(COMPOSE, "secrets").values()) {
			String file = (String) Objects.requireNonNull(((Map<?, ?>) secret).get("file"));
			if (file.startsWith("${")) {
				// For builds; /dev/null by default.
				continue;
			}
			assertThat(directory.resolve(file.replace("./data/compose/", ""))).exists();
		}
		assertThat(directory.resolve("secrets/mysql.env")).content().startsWith("MYSQL_ROOT_PASSWORD=");
	}

	@Test
	void eachProgramGetsItsOwnPasswordsOnly() {
		assertThat(passwords("chat-server")).containsExactlyInAnyOrder("mysql-server", "rabbitmq-server",
				"rabbitmq-relay", "jwt-key");
		assertThat(passwords("persistence-worker")).containsExactlyInAnyOrder("mysql-persistence",
				"rabbitmq-persistence");
		assertThat(passwords("notification-worker")).containsExactlyInAnyOrder("mysql-notification",
				"rabbitmq-notification");
		assertThat(passwords("migration")).containsExactly("mysql-migration");
		assertThat(passwords("nginx")).isEmpty();
		assertThat(passwords("loadtest")).isEmpty();
		assertThat(services()).filteredOn((name) -> service(name).containsKey("env_file")).containsExactly("mysql");
	}

	/** A file there is a setting of the program: see SPRING_CONFIG_IMPORT. */
	@ParameterizedTest
	@ValueSource(strings = { "chat-server", "persistence-worker", "notification-worker", "migration" })
	void passwordsAreSettingsOfThePrograms(String name) {
		assertThat(environment(name)).containsEntry("SPRING_CONFIG_IMPORT", "configtree:/run/secrets/")
			.doesNotContainKeys("SPRING_DATASOURCE_PASSWORD", "CHAT_LOG_RABBITMQ_PASSWORD");
		assertThat(targets(name)).contains("spring.datasource.password");
	}

	@Test
	void passwordsInFilesArePreferredToThoseInTheJar(@TempDir Path directory) throws Exception {
		Files.writeString(directory.resolve("spring.datasource.password"), "from the file\n");
		Files.write(directory.resolve("inner-ca.p12"), new byte[] { (byte) 0xFF, 0 });
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Empty.class)
			.web(WebApplicationType.NONE)
			.run("--spring.config.import=configtree:" + directory + "/")) {
			assertThat(context.getEnvironment().getProperty("spring.application.name")).as("of application.yml")
				.isEqualTo("chat-server");
			assertThat(context.getEnvironment().getProperty("spring.datasource.password")).isEqualTo("from the file");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "chat-server", "persistence-worker", "notification-worker", "migration" })
	void connectionsCheckTheIdentityOfTheServer(String name) {
		Map<String, Object> environment = environment(name);
		assertThat((String) environment.get("SPRING_DATASOURCE_URL")).contains("sslMode=VERIFY_IDENTITY",
				"trustCertificateKeyStoreUrl=file:/run/secrets/inner-ca.p12", "fallbackToSystemTrustStore=false");
		assertThat(environment).containsEntry("CHAT_LOG_RABBITMQ_ADDRESSES", "rabbitmq:5551")
			.containsEntry("CHAT_LOG_RABBITMQ_SSLBUNDLE", "inner");
		assertThat(targets(name)).contains("inner-ca.p12", "inner-ca.pem");
	}

	@Test
	void onlyTheMigrationMayChangeTables() {
		assertThat(environment("migration")).containsEntry("SPRING_FLYWAY_ENABLED", "true")
			.containsEntry("SPRING_DATASOURCE_USERNAME", "parley_migration");
		for (String name : List.of("chat-server", "persistence-worker", "notification-worker")) {
			assertThat(environment(name)).containsEntry("SPRING_FLYWAY_ENABLED", "false");
		}
		assertThat(list(service("migration"), "entrypoint")).contains("io.parley.store.config.DatabaseMigration");
	}

	@Test
	void imagesComeFromTheSettings() {
		assertThat(services()).allSatisfy((name) -> assertThat((String) service(name).get("image"))
			.matches("\\$\\{[A-Z]+_IMAGE}|parley/[a-z-]+"));
	}

	@Test
	void theFileForAnIdePublishesToThisMachineOnly() {
		Map<String, Object> services = map(yaml("deploy/ide.yml"), "services");
		assertThat(services.keySet()).containsExactlyInAnyOrder("rabbitmq", "mysql");
		for (String name : services.keySet()) {
			assertThat(list(map(services, name), "ports")).isNotEmpty()
				.allMatch((port) -> port.startsWith("127.0.0.1:"));
		}
	}

	@Test
	void theFileForTlsPublishesToTheConfiguredAddress() {
		Map<String, Object> nginx = map(map(yaml("deploy/tls.yml"), "services"), "nginx");
		assertThat(list(nginx, "ports")).containsExactly("${CHAT_ADDRESS}:${CHAT_TLS_PORT}:443");
	}

	@Test
	void aCertificateNeedsItsKey(@TempDir Path directory) throws Exception {
		Path file = Files.writeString(directory.resolve("some.pem"), "x");
		assertThat(useTls("CHAT_TLS_CERTIFICATE=" + file + " CHAT_TLS_KEY=" + file))
			.isEqualTo("docker-compose.yml:deploy/tls.yml");
		assertThat(useTls("CHAT_TLS_CERTIFICATE= CHAT_TLS_KEY=")).isEmpty();
		for (String settings : List.of("CHAT_TLS_CERTIFICATE=" + file + " CHAT_TLS_KEY=",
				"CHAT_TLS_CERTIFICATE= CHAT_TLS_KEY=" + file,
				"CHAT_TLS_CERTIFICATE=" + file + " CHAT_TLS_KEY=" + directory.resolve("missing"))) {
			assertThatThrownBy(() -> useTls(settings)).as(settings).hasMessageContaining("is not a readable file");
		}
	}

	@Test
	void saysThatOtherMachinesHaveAccessWithoutTls() throws Exception {
		assertThat(useTls("CHAT_ADDRESS=0.0.0.0 CHAT_TLS_CERTIFICATE= CHAT_TLS_KEY=")).contains("without TLS");
	}

	/** New passwords would lock the system out of its data. */
	@Test
	void makesNoSecretsBesideTheVolumesOfAnotherStart(@TempDir Path directory) {
		String docker = "docker() { [[ $* == *name=^$found* ]] && echo \"$found\"; return 0; }; ";
		String script = docker
				+ "say() { echo \"$*\"; }; die() { say \"$@\"; exit 1; }; find_jdk() { :; }; . scripts/compose.sh;"
				+ " SECRETS=" + directory.resolve("none") + "; JAVA_HOME=" + System.getProperty("java.home")
				+ "; need_secrets";
		assertThatThrownBy(() -> Shell.bash("unset COMPOSE_PROJECT_NAME; found=parley_mysql-data; " + script))
			.hasMessageContaining("the volume parley_mysql-data exists");
		assertThatThrownBy(() -> Shell.bash("COMPOSE_PROJECT_NAME=mine; found=mine_rabbitmq-data; " + script))
			.hasMessageContaining("the volume mine_rabbitmq-data exists");
		assertThatCode(() -> Shell.bash("COMPOSE_PROJECT_NAME=mine; found=parley_mysql-data; " + script))
			.doesNotThrowAnyException();
	}

	/** They change with the POMs only, and making them takes a third of a build. */
	@Test
	void makesTheSbomsAgainWhenAPomHasChanged(@TempDir Path directory) throws Exception {
		Path chat = Document.ROOT.resolve("chat");
		String current = "eval \"$(sed -n '/^sboms_are_current()/,/^}/p' " + chat + ")\"; cd " + directory
				+ "; sboms_are_current library program && echo current || echo outdated";
		for (String pom : List.of("pom.xml", "library/pom.xml", "program/pom.xml")) {
			Files.createDirectories(directory.resolve(pom).getParent());
			Files.writeString(directory.resolve(pom), pom.startsWith("program") ? "cyclonedx" : "");
			Files.setLastModifiedTime(directory.resolve(pom), FileTime.fromMillis(1_000_000));
		}
		Path sbom = directory.resolve("program/target/classes/META-INF/sbom/application.cdx.json");
		assertThat(Shell.bash(current)).isEqualTo("outdated");
		Files.createDirectories(sbom.getParent());
		Files.writeString(sbom, "{}");
		assertThat(Shell.bash(current)).isEqualTo("current");
		Files.setLastModifiedTime(sbom, FileTime.fromMillis(2_000_000));
		for (String pom : List.of("pom.xml", "library/pom.xml", "program/pom.xml")) {
			Files.setLastModifiedTime(directory.resolve(pom), FileTime.fromMillis(3_000_000));
			assertThat(Shell.bash(current)).as(pom).isEqualTo("outdated");
			Files.setLastModifiedTime(directory.resolve(pom), FileTime.fromMillis(1_000_000));
		}
	}

	private static String useTls(String settings) throws Exception {
		return Shell.bash(settings + "; say() { echo \"$*\"; }; die() { say \"$@\"; exit 1; };"
				+ " . scripts/compose.sh; use_tls; echo \"${COMPOSE_FILE:-}\"");
	}

	/** Returns the secrets of a service except certificates, which are no secrets. */
	private static List<String> passwords(String service) {
		return secrets(service).stream()
			.map((secret) -> (secret instanceof Map<?, ?> mapped) ? (String) mapped.get("source") : (String) secret)
			.filter((name) -> !name.startsWith("inner-ca."))
			.toList();
	}

	private static List<String> targets(String service) {
		return secrets(service).stream()
			.map((secret) -> (secret instanceof Map<?, ?> mapped) ? (String) mapped.get("target") : (String) secret)
			.toList();
	}

	private static Collection<?> secrets(String service) {
		return (Collection<?>) service(service).getOrDefault("secrets", List.of());
	}

	private static Map<String, Object> environment(String service) {
		return map(service(service), "environment");
	}

	private static Map<String, Object> service(String name) {
		return map(map(COMPOSE, "services"), name);
	}

	private static Map<String, Object> yaml(String file) {
		return new Yaml().load(Document.text(Document.ROOT.resolve(file)));
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> map(Map<String, Object> parent, String key) {
		return (Map<String, Object>) Objects.requireNonNull(parent.get(key), key);
	}

	private static List<String> list(Map<String, Object> parent, String key) {
		@Nullable Object found = parent.get(key);
		return (found != null) ? ((Collection<?>) found).stream().map(Objects::toString).collect(Collectors.toList())
				: List.of();
	}

	@Configuration(proxyBeanMethods = false)
	static class Empty {

	}

}
