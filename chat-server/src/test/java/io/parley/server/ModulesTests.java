package io.parley.server;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The dependencies of the Maven modules, without their tests, and the names of their
 * classes. The text is in docs/architecture.md.
 */
class ModulesTests {

	private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

	/** All others depend on no module. */
	private static final Map<String, Set<String>> MODULES = table("""
			chat-log/api: chat-events
			chat-log/embedded: chat-log-api, chat-log-rocksdb
			chat-log/rabbitmq: chat-log-api, chat-log-codecs
			chat-log/kafka: chat-log-api, chat-log-kafka-client, chat-log-codecs
			chat-store: chat-log-api, chat-events, chat-store-byte-buddy, chat-store-mysql
			chat-trace: chat-events
			persistence-worker: chat-store, chat-log-api, chat-events, chat-trace
			notification-worker: chat-store, chat-log-api, chat-events, chat-trace, notification-fcm-client
			chat-server: persistence-worker, notification-worker, chat-log-embedded, chat-log-rabbitmq, chat-log-kafka
			loadtest/generator: fake-fcm
			loadtest/studies: loadtest-generator, fake-fcm, chat-events
			""");

	/** Dependencies of a module as an executable, but not as a library. */
	private static final Map<String, Set<String>> PROGRAMS = table("""
			persistence-worker: chat-log-rabbitmq, chat-log-kafka
			notification-worker: chat-log-rabbitmq, chat-log-kafka
			""");

	/** Which modules have a client library; a study of the load kit uses Kafka itself. */
	private static final Map<String, Set<String>> CLIENTS = table("""
			org.rocksdb: none
			com.rabbitmq: chat-log/rabbitmq
			org.apache.kafka: loadtest/studies
			""");

	@Test
	void dependInOneDirection() throws Exception {
		List<String> modules = modules();
		assertThat(modules).containsAll(MODULES.keySet());
		for (String module : modules) {
			Set<String> libraries = MODULES.getOrDefault(module, Set.of());
			Set<String> added = PROGRAMS.getOrDefault(module, Set.of());
			for (Element dependency : dependencies(module)) {
				String group = text(dependency, "groupId");
				if (group.equals("io.parley")) {
					boolean optional = text(dependency, "optional").equals("true");
					assertThat(text(dependency, "artifactId")).as(module).isIn(optional ? added : libraries);
				}
			}
		}
	}

	@Test
	void leaveTheClientsOfBrokersToTheAdapters() throws Exception {
		for (String module : modules()) {
			for (Element dependency : dependencies(module)) {
				Set<String> users = CLIENTS.get(text(dependency, "groupId"));
				if (users != null) {
					assertThat(module).as(text(dependency, "artifactId")).isIn(users);
				}
			}
		}
	}

	/**
	 * {@code Draft} and {@code Drafts} are easily confused: a name says what a class
	 * does.
	 */
	@Test
	void noClassIsNamedByThePluralOfAnother() throws Exception {
		List<String> names = classes(modules());
		assertThat(names).hasSizeGreaterThan(500).noneMatch((name) -> names.contains(name + "s"));
	}

	/** The load kit is a program of its own, with a {@code StompFrames} of its own. */
	@Test
	void noTwoClassesHaveTheSameName() throws Exception {
		List<String> product = modules().stream().filter((module) -> !module.startsWith("loadtest/")).toList();
		assertThat(classes(product)).hasSizeGreaterThan(400).doesNotHaveDuplicates();
	}

	/** Returns the names of the source files. */
	private static List<String> classes(List<String> modules) throws Exception {
		List<String> names = new ArrayList<>();
		for (String module : modules) {
			Path sources = ROOT.resolve(module).resolve("src/main/java");
			if (Files.isDirectory(sources)) {
				try (Stream<Path> files = Files.walk(sources)) {
					files.map((file) -> file.getFileName().toString())
						.filter((file) -> file.endsWith(".java") && !file.equals("package-info.java"))
						.forEach((file) -> names.add(file.substring(0, file.length() - ".java".length())));
				}
			}
		}
		return names;
	}

	private static Map<String, Set<String>> table(String text) {
		return text.lines()
			.map((line) -> line.split(": "))
			.collect(Collectors.toUnmodifiableMap((row) -> row[0], (row) -> Set.of(row[1].split(", "))));
	}

	private static List<String> modules() throws Exception {
		Element modules = children(pom(ROOT), "modules").getFirst();
		return children(modules, "module").stream().map(Element::getTextContent).toList();
	}

	/** Without those of tests, and those that only order the build. */
	private static List<Element> dependencies(String module) throws Exception {
		List<Element> dependencies = new ArrayList<>();
		for (Element all : children(pom(ROOT.resolve(module)), "dependencies")) {
			for (Element dependency : children(all, "dependency")) {
				if (!text(dependency, "scope").equals("test") && !text(dependency, "type").equals("pom")) {
					dependencies.add(dependency);
				}
			}
		}
		return dependencies;
	}

	private static Element pom(Path module) throws Exception {
		DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
		return factory.newDocumentBuilder().parse(module.resolve("pom.xml").toFile()).getDocumentElement();
	}

	private static String text(Element element, String name) {
		List<Element> found = children(element, name);
		return found.isEmpty() ? "" : found.getFirst().getTextContent();
	}

	private static List<Element> children(Element element, String name) {
		List<Element> children = new ArrayList<>();
		for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
			if (node instanceof Element child && child.getTagName().equals(name)) {
				children.add(child);
			}
		}
		return children;
	}

}
