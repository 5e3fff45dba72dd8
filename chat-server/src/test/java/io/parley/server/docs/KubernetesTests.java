package io.parley.server.docs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

import static io.parley.server.docs.Manifests.COMPOSE;
import static io.parley.server.docs.Manifests.FOLDER;
import static io.parley.server.docs.Manifests.OBJECTS;
import static io.parley.server.docs.Manifests.add;
import static io.parley.server.docs.Manifests.containers;
import static io.parley.server.docs.Manifests.env;
import static io.parley.server.docs.Manifests.filesOf;
import static io.parley.server.docs.Manifests.map;
import static io.parley.server.docs.Manifests.maps;
import static io.parley.server.docs.Manifests.object;
import static io.parley.server.docs.Manifests.path;
import static io.parley.server.docs.Manifests.peers;
import static io.parley.server.docs.Manifests.pod;
import static io.parley.server.docs.Manifests.podOf;
import static io.parley.server.docs.Manifests.pods;
import static io.parley.server.docs.Manifests.policies;
import static io.parley.server.docs.Manifests.ports;
import static io.parley.server.docs.Manifests.render;
import static io.parley.server.docs.Manifests.rendered;
import static io.parley.server.docs.Manifests.selected;
import static io.parley.server.docs.Manifests.settings;
import static io.parley.server.docs.Manifests.uses;
import static io.parley.server.docs.Manifests.volumes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests that the manifests for Kubernetes give what the Compose file gives. Reads the
 * files; what only exists after kustomize has combined them needs {@code kubectl}.
 */
class KubernetesTests {

	/** Settings of Compose that have another form here, and why. */
	private static final Set<String> REPLACED = Set.of(
			// A folder, so that keys are rotated without a restart.
			"CHAT_SECURITY_JWT_PRIVATE_KEY",
			// Nothing is published on a loopback address, so there are no demo users.
			"CHAT_DEMO_PUBLISHEDADDRESS");

	private static final Map<String, String> MEMORY = Map.of("MYSQL_MEMORY", "mysql", "RABBITMQ_MEMORY", "rabbitmq",
			"NGINX_MEMORY", "nginx", "CHAT_SERVER_MEMORY", "chat-server");

	static Stream<String> programs() {
		return pods().keySet().stream();
	}

	@Test
	void eachServiceOfComposeIsAPod() {
		Set<String> services = new TreeSet<>(map(COMPOSE, "services").keySet());
		services.remove("loadtest");
		assertThat(pods().keySet()).isEqualTo(services);
	}

	/** The profile "restricted" of the pod security standards, and a read-only root. */
	@ParameterizedTest
	@MethodSource("programs")
	void podsAreRestricted(String name) {
		Map<String, Object> pod = pod(name);
		assertThat(pod).containsEntry("automountServiceAccountToken", false)
			.containsEntry("enableServiceLinks", false)
			.containsEntry("serviceAccountName", name)
			.doesNotContainKeys("hostNetwork", "hostPID", "hostIPC");
		assertThat(map(pod, "securityContext")).containsEntry("runAsNonRoot", true)
			.containsEntry("seccompProfile", Map.of("type", "RuntimeDefault"));
		assertThat((Integer) map(pod, "securityContext").get("runAsUser")).isPositive();
		assertThat(containers(pod)).allSatisfy((container) -> assertThat(map(container, "securityContext"))
			.isEqualTo(Map.of("allowPrivilegeEscalation", false, "readOnlyRootFilesystem", true, "capabilities",
					Map.of("drop", List.of("ALL")))));
		assertThat(maps(pod, "volumes")).allSatisfy((volume) -> assertThat(volume).doesNotContainKey("hostPath"));
		assertThat(volumes(pod, "emptyDir")).allSatisfy((volume) -> assertThat(volume).containsKey("sizeLimit"));
		assertThat(object("ServiceAccount", name)).containsEntry("automountServiceAccountToken", false);
	}

	@ParameterizedTest
	@MethodSource("programs")
	void containersAreLimited(String name) {
		assertThat(containers(pod(name))).allSatisfy((container) -> {
			Map<String, Object> resources = map(container, "resources");
			assertThat(map(resources, "limits")).containsOnlyKeys("cpu", "memory");
			assertThat(map(resources, "requests")).containsOnlyKeys("cpu", "memory");
		});
	}

	@ParameterizedTest
	@MethodSource("programs")
	void theMemoryIsThatOfCompose(String name) {
		String key = MEMORY.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().equals(name))
			.map(Map.Entry::getKey)
			.findFirst()
			.orElse("WORKER_MEMORY");
		String expected = env(key).replaceAll("[mg]$", "").concat(env(key).endsWith("g") ? "Gi" : "Mi");
		Map<String, Object> container = containers(pod(name)).stream()
			.filter((candidate) -> candidate.get("name").equals(name.equals("migration") ? "tables" : name))
			.findFirst()
			.orElseThrow();
		assertThat(map(map(container, "resources"), "limits")).containsEntry("memory", expected);
	}

	@ParameterizedTest
	@MethodSource("programs")
	void serversAreProbed(String name) {
		assumeTrue(!name.equals("migration"), "a job ends by itself");
		Map<String, Object> container = maps(pod(name), "containers").getFirst();
		assertThat(container).containsKeys("startupProbe", "livenessProbe", "readinessProbe");
		if (((String) container.get("image")).startsWith("parley/")) {
			assertThat(path(container, "startupProbe")).isEqualTo("/livez");
			assertThat(path(container, "livenessProbe")).isEqualTo("/livez");
			assertThat(path(container, "readinessProbe")).isEqualTo("/readyz");
			Map<String, Object> startup = map(container, "startupProbe");
			assertThat((Integer) startup.get("periodSeconds") * (Integer) startup.get("failureThreshold")).as("seconds")
				.isGreaterThanOrEqualTo(180);
		}
	}

	/** A stopping server is killed after that time, counted from preStop. */
	@ParameterizedTest
	@CsvSource({ "chat-server, 65", "persistence-worker, 65", "notification-worker, 65", "nginx, 15", "rabbitmq, 30",
			"mysql, 60" })
	void aStopTakesAsLongAsInCompose(String name, int secondsOfCompose) {
		Map<String, Object> pod = pod(name);
		assertThat(map(map(COMPOSE, "services"), name)).containsEntry("stop_grace_period", secondsOfCompose + "s");
		Map<String, Object> container = maps(pod, "containers").getFirst();
		int sleep = container.containsKey("lifecycle") ? (Integer) Objects
			.requireNonNull(map(map(map(container, "lifecycle"), "preStop"), "sleep").get("seconds")) : 0;
		assertThat((Integer) pod.get("terminationGracePeriodSeconds")).isGreaterThanOrEqualTo(secondsOfCompose + sleep);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "chat-server", "persistence-worker", "notification-worker", "nginx", "migration", "mysql" })
	void eachSettingOfComposeExists(String name) {
		Map<String, Object> expected = new TreeMap<>(map(map(map(COMPOSE, "services"), name), "environment"));
		expected.keySet().removeAll(REPLACED);
		Map<String, String> settings = settings(name);
		String page = Document.text(Document.ROOT.resolve("docs/kubernetes.md"));
		expected.forEach((key, value) -> {
			if (value == null) {
				assertThat(page).as("setting of the optional Secret").contains("`" + key + "`");
			}
			else if (value.toString().contains("${")) {
				assertThat(settings).containsKey(key);
			}
			else {
				assertThat(settings).containsEntry(key, value.toString());
			}
		});
	}

	/** Those with a value of .env. */
	@ParameterizedTest
	@CsvSource({ "nginx, CHAT_MAX_CONNECTIONS", "nginx, CHAT_UPGRADES_PER_SECOND",
			"nginx, CHAT_SIGN_INS_PER_SECOND_PER_ADDRESS", "chat-server, CHAT_BROKER_MODE",
			"chat-server, CHAT_LOG_PARTITIONS", "migration, MYSQL_DATABASE",
			"notification-worker, CHAT_PUSH_PROVIDER" })
	void valuesAreThoseOfCompose(String name, String key) {
		assertThat(settings(name)).containsEntry(key, env(key));
	}

	@Test
	void theConnectionToMySqlIsThatOfCompose() {
		assertThat(settings("chat-server").get("SPRING_DATASOURCE_URL")).isEqualTo(((String) Objects.requireNonNull(
				map(map(map(COMPOSE, "services"), "chat-server"), "environment").get("SPRING_DATASOURCE_URL")))
			.replace("${MYSQL_DATABASE}", env("MYSQL_DATABASE")));
	}

	@Test
	void thereAreNoDemoUsers() {
		assertThat(settings("chat-server")).containsEntry("SPRING_PROFILES_ACTIVE", "")
			.containsEntry("CHAT_DEMO_PUBLIC", "false");
	}

	/**
	 * The source of a secret of Compose is a key of a Secret, its target a file of the
	 * same name.
	 */
	@ParameterizedTest
	@MethodSource("programs")
	void eachContainerGetsTheSecretsOfCompose(String name) {
		Map<String, String> expected = new TreeMap<>();
		for (Object secret : (Collection<?>) map(map(COMPOSE, "services"), name).getOrDefault("secrets", List.of())) {
			if (secret instanceof Map<?, ?> mapped) {
				expected.put((String) mapped.get("target"), (String) mapped.get("source"));
			}
			else if (!secret.equals("jwt-key")) {
				expected.put((String) secret, (String) secret);
			}
		}
		Map<String, Object> secrets = maps(pod(name), "volumes").stream()
			.filter((volume) -> volume.get("name").equals("secrets"))
			.findFirst()
			.orElse(Map.of("projected", Map.of("sources", List.of())));
		Map<String, String> found = new TreeMap<>();
		maps(map(secrets, "projected"), "sources").forEach((source) -> found.putAll(filesOf(map(source, "secret"))));
		found.remove("fcm.json");
		assertThat(found).isEqualTo(expected);
		assertThat(volumes(pod(name), "secret")).extracting((volume) -> volume.get("secretName"))
			.isEqualTo(switch (name) {
				case "chat-server" -> List.of("jwt-keys");
				case "nginx" -> List.of("nginx-tls");
				default -> List.of();
			});
	}

	/** Only the job that creates users has the password of the administrator. */
	@Test
	void onlyTheMigrationAndMySqlKnowTheAdministrator() {
		assertThat(programs().filter((name) -> pod(name).toString().contains("mysql-admin")))
			.containsExactlyInAnyOrder("migration", "mysql");
		assertThat(programs().filter((name) -> pod(name).toString().contains("key=mysql-migration")))
			.containsExactly("migration");
	}

	@Test
	void serversAndWorkersWaitForTheMigration() {
		for (String name : List.of("chat-server", "persistence-worker", "notification-worker")) {
			assertThat(maps(pod(name), "initContainers")).extracting((container) -> container.get("command"))
				.containsExactly(
						List.of("bash", "/scripts/wait-for-migration.sh", name.replaceAll("^chat-|-worker$", "")));
		}
	}

	@Test
	void whatIsMissingIsFound() throws Exception {
		Path rights = Document.ROOT.resolve("deploy/mysql/rights.txt");
		String script = "MYSQL_DATABASE=parley MYSQL_RIGHTS=" + rights + "; eval \"$(sed -n '/^missing()/,/^}/p' "
				+ FOLDER.resolve("base/wait-for-migration.sh") + ")\"; ";
		String grants = "printf '%s\\n' account push_log device | sed 's/.*/GRANT SELECT ON `parley`.`&` TO `x`@`%`/' | ";
		assertThat(Shell.bash(script + grants + "missing notification").lines()).contains("push_task", "room_event")
			.doesNotContain("push_log", "device", "account");
		assertThat(Shell.bash(script + "awk '!/^#/ && NF { print \"GRANT SELECT ON `parley`.`\" $1 \"` TO `x`\" }' "
				+ rights + " | missing server"))
			.isEmpty();
	}

	@Test
	void nothingIsReachedUnlessAPolicyAllowsIt() {
		Map<String, Object> denied = map(object("NetworkPolicy", "default-deny"), "spec");
		assertThat(denied).isEqualTo(Map.of("podSelector", Map.of(), "policyTypes", List.of("Ingress", "Egress")));
	}

	/**
	 * A path that only one side allows is closed; both sides have to name the same ports.
	 */
	@Test
	void eachPathIsAllowedAtBothEnds() {
		Set<String> out = new TreeSet<>();
		Set<String> in = new TreeSet<>();
		for (Map<String, Object> policy : policies()) {
			Map<String, Object> spec = map(policy, "spec");
			for (String self : selected(map(spec, "podSelector"))) {
				maps(spec, "egress").forEach((rule) -> peers(rule, "to")
					.forEach((peer) -> ports(rule).forEach((port) -> out.add(self + " > " + peer + ":" + port))));
				maps(spec, "ingress").forEach((rule) -> peers(rule, "from")
					.forEach((peer) -> ports(rule).forEach((port) -> in.add(peer + " > " + self + ":" + port))));
			}
		}
		assertThat(out).isEqualTo(in)
			.containsExactlyInAnyOrder("nginx > chat-server:8080", "chat-server > mysql:3306",
					"persistence-worker > mysql:3306", "notification-worker > mysql:3306", "migration > mysql:3306",
					"chat-server > rabbitmq:5551", "chat-server > rabbitmq:61613", "persistence-worker > rabbitmq:5551",
					"notification-worker > rabbitmq:5551");
	}

	@Test
	void databaseAndBrokerHaveNoWayOut() {
		assertThat(policies()).filteredOn((policy) -> map(policy, "spec").containsKey("egress"))
			.flatMap((policy) -> selected(map(map(policy, "spec"), "podSelector")))
			.doesNotContain("mysql", "rabbitmq");
		assertThat(OBJECTS).filteredOn((object) -> object.get("kind").equals("Service"))
			.noneMatch((service) -> map(service, "spec").containsKey("type"));
	}

	@Test
	void theVersionsAreThoseOfEnvAndOfTheBuild() throws Exception {
		for (String overlay : List.of("brokers-inside", "managed")) {
			Set<String> images = new TreeSet<>();
			for (Map<String, Object> object : rendered("overlays/" + overlay)) {
				podOf(object).values()
					.forEach((pod) -> containers(pod).forEach((container) -> images
						.add(((String) container.get("image")).replaceFirst("^.*/(?=parley/)", ""))));
			}
			Set<String> expected = new TreeSet<>(Set.of(env("NGINX_IMAGE"), env("MYSQL_IMAGE")));
			if (overlay.equals("brokers-inside")) {
				expected.add(env("RABBITMQ_IMAGE"));
			}
			String version = Document.read("pom.xml")
				.lines()
				.stream()
				.filter((line) -> line.startsWith("\t<version>"))
				.map((line) -> line.replaceAll("\\s*</?version>", ""))
				.findFirst()
				.orElseThrow();
			for (String program : List.of("chat-server", "persistence-worker", "notification-worker")) {
				expected.add("parley/" + program + ":" + version);
			}
			assertThat(images)
				.isEqualTo(expected.stream().map((image) -> image.replaceFirst("@.*", "")).collect(Collectors.toSet()));
		}
	}

	@Test
	void theFilesOfComposeAreUsedAndNotCopied() throws Exception {
		Map<String, String> contents = new TreeMap<>();
		for (Map<String, Object> object : rendered("overlays/brokers-inside")) {
			if (object.get("kind").equals("ConfigMap")) {
				map(object, "data").forEach((key, value) -> contents.put(key, (String) value));
			}
		}
		for (String file : List.of("nginx/templates/nginx.conf.template", "nginx/templates/tls.conf.template",
				"nginx/15-derive-limits.envsh", "deploy/mysql/parley.cnf", "deploy/mysql/rights.txt",
				"deploy/rabbitmq/20-parley.conf", "deploy/rabbitmq/enabled_plugins", "scripts/database.sh")) {
			assertThat(contents.get(Path.of(file).getFileName().toString())).as(file)
				.isEqualTo(Document.text(Document.ROOT.resolve(file)));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "brokers-inside", "managed" })
	void allThatPodsMountIsMade(String overlay, @TempDir Path directory) throws Exception {
		Map<String, Set<String>> made = new TreeMap<>();
		List<Map<String, Object>> objects = new ArrayList<>(rendered("overlays/" + overlay));
		String secrets = Shell.bash("JAVA_HOME=" + System.getProperty("java.home") + " SECRETS=" + directory
				+ " scripts/kubernetes-secrets.sh --print");
		new Yaml().loadAll(secrets).forEach((document) -> add(objects, document));
		objects.stream()
			.filter((object) -> Set.of("ConfigMap", "Secret").contains(object.get("kind")))
			.forEach((object) -> made.put(object.get("kind") + " " + map(object, "metadata").get("name"),
					map(object, "data").keySet()));
		Map<String, Set<String>> used = new TreeMap<>();
		objects.forEach((object) -> podOf(object).values().forEach((pod) -> uses(pod, used)));
		assertThat(used).isNotEmpty().allSatisfy((name, keys) -> assertThat(made.get(name)).as(name).containsAll(keys));
	}

	@ParameterizedTest
	@ValueSource(strings = { "autoscaling-by-sessions", "autoscaling-by-cpu" })
	void theAutoscalerAloneSetsTheNumberOfServers(String component) throws Exception {
		Path trial = Files.createTempDirectory(Files.createDirectories(FOLDER.resolve("../../chat-server/target")),
				"kustomize");
		try {
			Files.writeString(trial.resolve("kustomization.yaml"),
					"resources: [../../../deploy/kubernetes/overlays/managed]\ncomponents: [../../../deploy/kubernetes/components/"
							+ component + "]\n");
			List<Map<String, Object>> objects = render(trial);
			assertThat(objects).filteredOn((object) -> object.get("kind").equals("HorizontalPodAutoscaler")).hasSize(1);
			assertThat(objects)
				.filteredOn((object) -> object.get("kind").equals("Deployment")
						&& map(object, "metadata").get("name").equals("chat-server"))
				.singleElement()
				.satisfies((server) -> assertThat(map(server, "spec")).doesNotContainKey("replicas"));
		}
		finally {
			Files.delete(trial.resolve("kustomization.yaml"));
			Files.delete(trial);
		}
	}

}
