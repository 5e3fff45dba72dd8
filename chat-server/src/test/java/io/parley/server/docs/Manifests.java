package io.parley.server.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The manifests for Kubernetes: the base together with the overlay that has all programs,
 * as they are in the files, and folders as kustomize combines them.
 */
final class Manifests {

	static final Path FOLDER = Document.ROOT.resolve("deploy/kubernetes");

	static final Map<String, Object> COMPOSE = new Yaml()
		.load(Document.text(Document.ROOT.resolve("docker-compose.yml")));

	static final List<Map<String, Object>> OBJECTS = files();

	private Manifests() {
	}

	/**
	 * Collects the Secrets and ConfigMaps that a pod cannot start without, and the keys
	 * it mounts.
	 */
	static void uses(Map<String, Object> pod, Map<String, Set<String>> used) {
		for (Map<String, Object> volume : maps(pod, "volumes")) {
			List<Map<String, Object>> sources = volume.containsKey("projected")
					? maps(map(volume, "projected"), "sources") : List.of(volume);
			for (Map<String, Object> source : sources) {
				for (String kind : List.of("secret", "configMap")) {
					if (source.containsKey(kind) && !map(source, kind).containsKey("optional")) {
						Map<String, Object> of = map(source, kind);
						String name = (String) Objects.requireNonNull(of.getOrDefault("name", of.get("secretName")));
						Set<String> keys = used.computeIfAbsent(
								(kind.equals("secret") ? "Secret " : "ConfigMap ") + name, (any) -> new TreeSet<>());
						maps(of, "items").forEach((item) -> keys.add((String) item.get("key")));
					}
				}
			}
		}
		for (Map<String, Object> container : containers(pod)) {
			maps(container, "envFrom").stream()
				.filter((from) -> from.containsKey("configMapRef"))
				.forEach((from) -> used.computeIfAbsent("ConfigMap " + map(from, "configMapRef").get("name"),
						(any) -> new TreeSet<>()));
		}
	}

	/**
	 * Returns the settings of the main container of a pod, from its lists and its own
	 * variables.
	 */
	static Map<String, String> settings(String name) {
		Map<String, String> settings = new LinkedHashMap<>();
		Map<String, Object> container = containers(pod(name)).stream()
			.filter((candidate) -> candidate.get("name").equals(name.equals("migration") ? "tables" : name))
			.findFirst()
			.orElseThrow();
		for (Map<String, Object> from : maps(container, "envFrom")) {
			if (from.containsKey("configMapRef")) {
				Document.text(FOLDER.resolve("base/" + map(from, "configMapRef").get("name") + ".env"))
					.lines()
					.filter((line) -> !line.startsWith("#"))
					.forEach((line) -> settings.put(line.substring(0, line.indexOf('=')),
							line.substring(line.indexOf('=') + 1)));
			}
		}
		maps(container, "env")
			.forEach((variable) -> settings.put((String) variable.get("name"), String.valueOf(variable.get("value"))));
		if (name.equals("nginx")) {
			settings.replace("CHAT_SERVERS", "chat-server.$(NAMESPACE).svc.cluster.local:8080", "chat-server:8080");
		}
		return settings;
	}

	/** Returns the files of a volume source, each with its key. */
	static Map<String, String> filesOf(Map<String, Object> secret) {
		Map<String, String> files = new TreeMap<>();
		maps(secret, "items").forEach((item) -> files.put((String) item.get("path"), (String) item.get("key")));
		if (files.isEmpty()) {
			switch ((String) Objects.requireNonNull(secret.get("name"))) {
				case "inner-ca" -> List.of("inner-ca.pem", "inner-ca.p12").forEach((file) -> files.put(file, file));
				case "mysql" -> List.of("mysql.pem", "mysql-key.pem").forEach((file) -> files.put(file, file));
				case "mysql-backup" -> files.put("mysql-backup", "mysql-backup");
				case "rabbitmq" -> List.of("rabbitmq.pem", "rabbitmq-key.pem", "rabbitmq-definitions.json")
					.forEach((file) -> files.put(file, file));
				default -> files.put("fcm.json", "fcm.json");
			}
		}
		return files;
	}

	static List<Map<String, Object>> policies() {
		return OBJECTS.stream().filter((object) -> object.get("kind").equals("NetworkPolicy")).toList();
	}

	static List<String> selected(Map<String, Object> selector) {
		List<String> names = new ArrayList<>();
		if (selector.containsKey("matchLabels")) {
			names.add((String) map(selector, "matchLabels").get("app.kubernetes.io/name"));
		}
		maps(selector, "matchExpressions")
			.forEach((expression) -> ((Collection<?>) Objects.requireNonNull(expression.get("values")))
				.forEach((value) -> names.add((String) value)));
		return names;
	}

	/** Returns the pods of this installation that a rule names. */
	static List<String> peers(Map<String, Object> rule, String direction) {
		return maps(rule, direction).stream()
			.filter((peer) -> peer.containsKey("podSelector") && !peer.containsKey("namespaceSelector"))
			.flatMap((peer) -> selected(map(peer, "podSelector")).stream())
			.toList();
	}

	static List<Object> ports(Map<String, Object> rule) {
		return maps(rule, "ports").stream().map((port) -> port.get("port")).map(Object.class::cast).toList();
	}

	static @Nullable Object path(Map<String, Object> container, String probe) {
		return map(map(container, probe), "httpGet").get("path");
	}

	static List<Map<String, Object>> volumes(Map<String, Object> pod, String kind) {
		return maps(pod, "volumes").stream()
			.filter((volume) -> volume.containsKey(kind))
			.map((volume) -> map(volume, kind))
			.toList();
	}

	static List<Map<String, Object>> containers(Map<String, Object> pod) {
		return Stream.concat(maps(pod, "initContainers").stream(), maps(pod, "containers").stream()).toList();
	}

	static Map<String, Object> pod(String name) {
		return Objects.requireNonNull(pods().get(name), name);
	}

	static Map<String, Map<String, Object>> pods() {
		Map<String, Map<String, Object>> pods = new TreeMap<>();
		OBJECTS.forEach((object) -> pods.putAll(podOf(object)));
		return pods;
	}

	/** Returns the pod that an object describes by the name of the object, or nothing. */
	static Map<String, Map<String, Object>> podOf(Map<String, Object> object) {
		return Set.of("Deployment", "StatefulSet", "Job").contains(object.get("kind"))
				? Map.of((String) Objects.requireNonNull(map(object, "metadata").get("name")),
						map(map(map(object, "spec"), "template"), "spec"))
				: Map.of();
	}

	static Map<String, Object> object(String kind, String name) {
		return OBJECTS.stream()
			.filter((object) -> object.get("kind").equals(kind) && map(object, "metadata").get("name").equals(name))
			.findFirst()
			.orElseThrow();
	}

	static String env(String name) {
		return Document.read(".env")
			.lines()
			.stream()
			.filter((line) -> line.startsWith(name + "="))
			.map((line) -> line.substring(name.length() + 1))
			.findFirst()
			.orElseThrow();
	}

	/** Reads the base, and the overlay that has all programs. */
	private static List<Map<String, Object>> files() {
		List<Map<String, Object>> objects = new ArrayList<>();
		for (String folder : List.of("base", "overlays/brokers-inside")) {
			try (Stream<Path> files = Files.list(FOLDER.resolve(folder))) {
				files.filter((file) -> file.toString().endsWith(".yaml"))
					.filter((file) -> !file.endsWith("kustomization.yaml"))
					.sorted()
					.forEach((file) -> new Yaml().loadAll(Document.text(file))
						.forEach((document) -> add(objects, document)));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
		return objects;
	}

	static List<Map<String, Object>> rendered(String folder) throws Exception {
		return render(FOLDER.resolve(folder));
	}

	static List<Map<String, Object>> render(Path folder) throws Exception {
		assumeTrue(
				Stream.of(System.getenv("PATH").split(":"))
					.anyMatch((path) -> Files.isExecutable(Path.of(path, "kubectl"))),
				"kubectl is not on the PATH, so the manifests are not rendered");
		List<Map<String, Object>> objects = new ArrayList<>();
		new Yaml().loadAll(Shell.bash("kubectl kustomize " + folder)).forEach((document) -> add(objects, document));
		assertThat(objects).hasSizeGreaterThan(20);
		return objects;
	}

	@SuppressWarnings("unchecked")
	static void add(List<Map<String, Object>> objects, @Nullable Object document) {
		if (document != null) {
			objects.add((Map<String, Object>) document);
		}
	}

	@SuppressWarnings("unchecked")
	static Map<String, Object> map(Map<String, Object> parent, String key) {
		return (Map<String, Object>) Objects.requireNonNull(parent.get(key), key);
	}

	@SuppressWarnings("unchecked")
	static List<Map<String, Object>> maps(Map<String, Object> parent, String key) {
		return (List<Map<String, Object>>) parent.getOrDefault(key, List.of());
	}

}
