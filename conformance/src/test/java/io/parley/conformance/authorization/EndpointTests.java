package io.parley.conformance.authorization;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.parley.events.Destination;
import io.parley.server.testing.AuthorizationTable;
import io.parley.server.testing.AuthorizationTable.Row;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationContext;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.classreading.CachingMetadataReaderFactory;
import org.springframework.messaging.simp.SimpMessageMappingInfo;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.simp.annotation.support.SimpAnnotationMethodMessageHandler;
import org.springframework.stereotype.Controller;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each endpoint has a row in {@code docs/authorization.tsv}, and each row an endpoint.
 * Static pages and the probes are no mappings of controllers, and open to everybody.
 */
@UnlimitedServer
class EndpointTests {

	/** Answers failed requests inside of the server, after they were authorized. */
	private static final String ERROR = "/error";

	/** Exists in the profile {@code demo} only. */
	private static final String DEMO = "io.parley.server.demo.DemoData";

	private final ApplicationContext context;

	private final List<Row> rows = AuthorizationTable.read();

	EndpointTests(ApplicationContext context) {
		this.context = context;
	}

	@Test
	void eachHttpMappingHasARow() {
		Set<String> mapped = this.context.getBeansOfType(RequestMappingHandlerMapping.class)
			.values()
			.stream()
			.flatMap((mapping) -> mapping.getHandlerMethods().keySet().stream())
			.flatMap(EndpointTests::calls)
			.filter((call) -> !call.endsWith(" " + ERROR))
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(mapped).hasSizeGreaterThan(50).isEqualTo(rows((row) -> !row.isFrame()));
	}

	/**
	 * A mapping without a method would accept all of them: it needs a row that no row can
	 * be.
	 */
	private static Stream<String> calls(RequestMappingInfo mapping) {
		List<String> methods = new ArrayList<>();
		mapping.getMethodsCondition().getMethods().forEach((method) -> methods.add(method.name()));
		return (methods.isEmpty() ? List.of("any method") : methods).stream()
			.flatMap((method) -> mapping.getPatternValues().stream().map((pattern) -> method + " " + pattern));
	}

	@Test
	void eachMessageMappingHasARow() {
		List<SimpMessageMappingInfo> mappings = this.context.getBeansOfType(SimpAnnotationMethodMessageHandler.class)
			.values()
			.stream()
			.flatMap((handler) -> handler.getHandlerMethods().keySet().stream())
			.toList();
		assertThat(mappings)
			.allSatisfy((mapping) -> assertThat(mapping.getMessageTypeMessageCondition().getMessageType())
				.isEqualTo(SimpMessageType.MESSAGE));
		Set<String> mapped = mappings.stream()
			.flatMap((mapping) -> mapping.getDestinationConditions().getPatterns().stream())
			.map((pattern) -> "SEND /app/" + pattern.replaceFirst("^/", ""))
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(mapped).hasSizeGreaterThan(3)
			.isEqualTo(rows((row) -> row.method().equals("SEND") && row.endpoint().startsWith("/app/")));
	}

	@Test
	void eachDestinationHasARowForSendAndForSubscribe() {
		Set<String> all = new TreeSet<>();
		for (Class<?> kind : Destination.class.getPermittedSubclasses()) {
			if (kind == Destination.RoomAction.class) {
				for (Destination.Action action : Destination.Action.values()) {
					all.add(kind.getSimpleName() + " " + action.name().toLowerCase(Locale.ROOT));
				}
			}
			else {
				all.add(kind.getSimpleName());
			}
		}
		for (String command : List.of("SEND", "SUBSCRIBE")) {
			Set<String> shown = this.rows.stream()
				.filter((row) -> row.method().equals(command))
				.map(EndpointTests::kind)
				.collect(Collectors.toCollection(TreeSet::new));
			assertThat(shown).as(command).isEqualTo(all);
		}
	}

	private static String kind(Row row) {
		Destination destination = Destination.parse(row.endpoint().replace("{room}", "room"));
		return switch (destination) {
			case null -> "no destination: " + row;
			case Destination.RoomAction action -> "RoomAction " + action.action().name().toLowerCase(Locale.ROOT);
			default -> destination.getClass().getSimpleName();
		};
	}

	/** A controller that depends on a condition would escape the other tests. */
	@Test
	void noControllerIsMissingInTheServerUnderTest() throws IOException {
		Set<String> present = this.context.getBeansWithAnnotation(Controller.class)
			.values()
			.stream()
			.map((bean) -> ClassUtils.getUserClass(bean).getName())
			.collect(Collectors.toSet());
		CachingMetadataReaderFactory readers = new CachingMetadataReaderFactory();
		Set<String> missing = new TreeSet<>();
		for (Resource file : new PathMatchingResourcePatternResolver()
			.getResources("classpath*:io/parley/server/**/*.class")) {
			AnnotationMetadata type = readers.getMetadataReader(file).getAnnotationMetadata();
			if (type.isAnnotated(Controller.class.getName()) && !present.contains(type.getClassName())) {
				missing.add(type.getClassName());
			}
		}
		assertThat(missing).containsExactly(DEMO);
	}

	private Set<String> rows(Predicate<Row> wanted) {
		return this.rows.stream()
			.filter(wanted)
			.map((row) -> row.method() + " " + row.endpoint())
			.collect(Collectors.toCollection(TreeSet::new));
	}

}
