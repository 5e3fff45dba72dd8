package io.parley.contracts;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.parley.server.testing.AuthorizationTable;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.ProtocolTest;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * docs/api/openapi.json describes the controllers. After a change of them,
 * {@code -Dparley.docs.write=true} writes the document.
 */
@ProtocolTest(properties = { "springdoc.use-fqn=true", "springdoc.paths-to-match=/api/**,/.well-known/**" })
class OpenApiTests {

	private static final String FILE = "openapi.json";

	private final ObjectNode document;

	OpenApiTests(ChatServer server, RequestMappingHandlerMapping mapping) {
		this.document = OpenApiDocument.of((ObjectNode) server.anonymous().get("/v3/api-docs").expect(200).body(),
				handlers(mapping));
	}

	private static Map<String, HandlerMethod> handlers(RequestMappingHandlerMapping mapping) {
		Map<String, HandlerMethod> handlers = new TreeMap<>();
		mapping.getHandlerMethods()
			.forEach((call, handler) -> call.getMethodsCondition()
				.getMethods()
				.forEach((method) -> call.getPatternValues()
					.forEach((path) -> handlers.put(method + " " + path, handler))));
		return handlers;
	}

	@Test
	void theDocumentDescribesTheControllers() {
		if (ApiFolder.isWriting()) {
			ApiFolder.write(FILE, this.document);
		}
		assertThat(ApiFolder.text(ApiFolder.FOLDER.resolve(FILE)))
			.as("Run this test with -Dparley.docs.write=true to write docs/api/openapi.json")
			.isEqualTo(ApiFolder.print(this.document));
	}

	@Test
	void eachCallOfTheTableOfRightsIsDescribed() {
		Set<String> described = new TreeSet<>();
		this.document.path("paths")
			.forEachEntry((path, operations) -> operations.propertyNames()
				.forEach((method) -> described.add(method.toUpperCase(Locale.ROOT) + " " + path)));
		assertThat(described).isEqualTo(AuthorizationTable.read()
			.stream()
			.filter((row) -> !row.isFrame())
			.map((row) -> row.method() + " " + row.endpoint())
			.collect(Collectors.toCollection(TreeSet::new)));
	}

	@Test
	void eachResponseWithABodySaysItsType() {
		this.document.path("paths")
			.forEachEntry((path,
					operations) -> operations.forEachEntry((method, operation) -> operation.path("responses")
						.forEachEntry((status,
								response) -> assertThat(status.equals("204") || response.has("$ref")
										|| !response.path("content").propertyNames().isEmpty())
									.as("%s %s %s", method, path, status)
									.isTrue())));
	}

	@Test
	void eachCallHasItsOwnName() {
		List<String> names = new ArrayList<>();
		this.document.path("paths")
			.forEach((operations) -> operations.forEach((one) -> names.add(one.path("operationId").asString())));
		assertThat(names).hasSizeGreaterThan(80).doesNotHaveDuplicates();
	}

	@Test
	void eachReferenceLeadsToAFile() {
		assertThat(ApiFolder.references(this.document)).allSatisfy((reference) -> assertThat(
				reference.startsWith("#") || Files.exists(ApiFolder.FOLDER.resolve(reference.replaceAll("#.*", ""))))
			.as(reference)
			.isTrue());
	}

}
