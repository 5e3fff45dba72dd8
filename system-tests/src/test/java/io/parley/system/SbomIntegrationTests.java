package io.parley.system;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the lists of components in the executable jars (SBOM, CycloneDX). */
class SbomIntegrationTests {

	private static final String SERVER = "chat-server/target/chat-server.jar";

	private static final String PERSISTENCE = "persistence-worker/target/persistence-worker-exec.jar";

	private static final String NOTIFICATION = "notification-worker/target/notification-worker-exec.jar";

	private static final String ADMIN = "admin/target/admin-exec.jar";

	/** Libraries of which modules of Parley contain a part, instead of their jars. */
	private static final Set<String> IN_PARTS = Set.of("rocksdbjni", "kafka-clients", "byte-buddy", "mysql-connector-j",
			"firebase-admin", "guava", "grpc-api", "opencensus-api");

	/** Dependencies of the workers that are left out when they are packaged. */
	private static final Set<String> LEFT_OUT = Set.of("h2", "log4j-api", "log4j-to-slf4j");

	private static final Pattern CLASSIFIER = Pattern.compile("classifier=([^&]+)");

	@RegisterExtension
	final ChatServerProcess server = new ChatServerProcess();

	@ParameterizedTest
	@ValueSource(strings = { SERVER, PERSISTENCE, NOTIFICATION, ADMIN })
	void listsExactlyTheLibrariesOfTheProgram(String jar) throws IOException {
		Map<String, String> listed = components(sbom(jar));
		Set<String> libraries = libraries(jar);
		Set<String> missing = new TreeSet<>(libraries);
		missing.removeAll(listed.keySet());
		// Spring Boot adds it to the jar.
		assertThat(missing).as("in the jar only").allMatch((name) -> name.startsWith("spring-boot-jarmode-tools-"));
		Set<String> left = listed.entrySet()
			.stream()
			.filter((component) -> !libraries.contains(component.getKey()))
			.map(Map.Entry::getValue)
			// They contain nothing: Spring Boot does not package them.
			.filter((name) -> !name.startsWith("spring-boot-starter"))
			.filter((name) -> !IN_PARTS.contains(name))
			.collect(Collectors.toSet());
		assertThat(left).as("in the list only").isEqualTo(jar.contains("worker") ? LEFT_OUT : Set.of());
	}

	@Test
	void namesVersions() throws IOException {
		assertThat(sbom(SERVER)).contains("\"pkg:maven/org.springframework/spring-core@7.")
			.contains("\"pkg:maven/org.eclipse.jetty/jetty-server@12.");
		for (String library : IN_PARTS) {
			assertThat(sbom(SERVER))
				.containsPattern("\"pkg:maven/[a-z.]+/" + library + "@\\d+\\.[\\w.-]+\\?type=pom\"");
		}
		assertThat(sbom(PERSISTENCE)).contains("/mysql-connector-j@")
			.doesNotContain("/rocksdbjni@", "/firebase-admin@");
		assertThat(sbom(NOTIFICATION)).contains("/firebase-admin@").doesNotContain("/rocksdbjni@");
		assertThat(sbom(ADMIN)).contains("/picocli@");
	}

	@ParameterizedTest
	@ValueSource(strings = { SERVER, PERSISTENCE, NOTIFICATION, ADMIN })
	void saysNothingAboutTheMachineThatBuilt(String jar) throws IOException {
		assertThat(sbom(jar)).doesNotContain(System.getProperty("user.home"), "file:", "localhost", "127.0.0.1",
				root().toString(), InetAddress.getLocalHost().getHostName() + "\"");
	}

	/** The extracted jar, as in the images. */
	@Test
	@Tag("exhaustive")
	void isShownOnTheManagementPortOnly() throws Exception {
		this.server.start();
		HttpResponse<String> shown = get(this.server.managementUrl());
		assertThat(shown.statusCode()).isEqualTo(200);
		assertThat(shown.body()).isEqualTo(sbom(SERVER));
		HttpResponse<String> front = get(this.server.url());
		assertThat(front.statusCode()).isEqualTo(404);
		assertThat(front.body()).doesNotContain("CycloneDX");
	}

	private static HttpResponse<String> get(URI server) throws Exception {
		HttpRequest request = HttpRequest.newBuilder(server.resolve("/actuator/sbom/application")).build();
		try (HttpClient client = HttpClient.newHttpClient()) {
			return client.send(request, BodyHandlers.ofString());
		}
	}

	/** Returns the names of the components by the names of their jars. */
	private static Map<String, String> components(String sbom) {
		Map<String, String> components = new TreeMap<>();
		for (JsonNode component : JsonMapper.shared().readTree(sbom).path("components")) {
			String name = component.path("name").asString();
			Matcher classifier = CLASSIFIER.matcher(component.path("purl").asString());
			String suffix = classifier.find() ? "-" + classifier.group(1) : "";
			components.put(name + "-" + component.path("version").asString() + suffix, name);
		}
		assertThat(components).isNotEmpty();
		return components;
	}

	private static Set<String> libraries(String jar) throws IOException {
		try (JarFile file = new JarFile(root().resolve(jar).toFile())) {
			return file.stream()
				.map((entry) -> entry.getName())
				.filter((name) -> name.startsWith("BOOT-INF/lib/") && name.endsWith(".jar"))
				.map((name) -> name.replaceAll("^BOOT-INF/lib/|\\.jar$", ""))
				.collect(Collectors.toCollection(TreeSet::new));
		}
	}

	/** Returns what the manifest names. */
	private static String sbom(String jar) throws IOException {
		try (JarFile file = new JarFile(root().resolve(jar).toFile())) {
			assertThat(file.getManifest().getMainAttributes().getValue("Sbom-Format")).isEqualTo("CycloneDX");
			String location = file.getManifest().getMainAttributes().getValue("Sbom-Location");
			try (InputStream sbom = file.getInputStream(file.getEntry(location))) {
				return new String(sbom.readAllBytes(), StandardCharsets.UTF_8);
			}
		}
	}

	private static Path root() {
		return Path.of("").toAbsolutePath().getParent();
	}

}
