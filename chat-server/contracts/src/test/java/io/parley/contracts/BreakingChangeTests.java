package io.parley.contracts;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;
import org.openapitools.openapidiff.core.OpenApiCompare;
import org.openapitools.openapidiff.core.compare.OpenApiDiffOptions;
import org.openapitools.openapidiff.core.model.ChangedOpenApi;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares docs/api with docs/api/landed.json, what clients could rely on until now. What
 * breaks them must be named under "Breaking" in CHANGELOG.md. Then, and after every other
 * change, {@code -Dparley.docs.write=true} writes landed.json.
 */
class BreakingChangeTests {

	private static final String LANDED = "landed.json";

	private final ObjectNode current = ContractBundle.current();

	@Test
	void eachBreakingChangeIsNamed() {
		Set<String> breaking = breaking(ApiFolder.read(LANDED), this.current);
		String named = section();
		assertThat(breaking)
			.as("These change what clients rely on. Undo it, or name each in CHANGELOG.md under \"### Breaking\", in backquotes")
			.allMatch((change) -> named.contains("`" + change + "`"));
		if (ApiFolder.isWriting()) {
			ApiFolder.write(LANDED, this.current);
		}
		assertThat(ApiFolder.text(ApiFolder.FOLDER.resolve(LANDED)))
			.as("Run this test with -Dparley.docs.write=true to write docs/api/" + LANDED)
			.isEqualTo(ApiFolder.print(this.current));
	}

	@Test
	void findsWhatBreaksClients() {
		ObjectNode next = this.current.deepCopy();
		remove(schema(next, "message.edited"), "target");
		remove(schema(next, "message.posted"), "replyTo");
		property(schema(next, "accepted"), "room").removeAll().put("type", "integer");
		schema(next, "send").withArray("required").add("priority");
		schema(next, "http.AuthRegistered").withArray("required").removeAll();
		((ObjectNode) next.path("paths")).remove("/api/rooms/{room}/pins");
		assertThat(breaking(this.current, next))
			.contains("GET /stomp/message.edited/body", "message.edited: target", "message.posted: replyTo",
					"GET /stomp/accepted/body", "PUT /api/rooms/{room}/messages/{position}/pin",
					"POST /stomp/SEND.send/body", "POST /api/auth/register", "GET /api/rooms/{room}/pins")
			.doesNotContain("GET /api/rooms", "GET /stomp/typing/body");
	}

	@Test
	void letsTheInterfaceGrow() {
		ObjectNode next = this.current.deepCopy();
		property(schema(next, "message.edited"), "more").put("type", "string");
		property(schema(next, "send"), "priority").put("type", "string");
		((ArrayNode) property(schema(next, "presence"), "state").path("enum")).add("asleep");
		schema(next, "room-event").withArray("oneOf").addObject().put("$ref", "#/components/schemas/typing");
		assertThat(breaking(this.current, next)).isEmpty();
	}

	private static ObjectNode schema(ObjectNode bundle, String name) {
		return (ObjectNode) bundle.path("components").path("schemas").path(name);
	}

	private static ObjectNode property(ObjectNode schema, String name) {
		return ((ObjectNode) schema.path("properties")).withObject("/" + name);
	}

	private static void remove(ObjectNode schema, String name) {
		((ObjectNode) schema.path("properties")).remove(name);
		schema.withArray("required").removeIf((required) -> required.asString().equals(name));
	}

	/** Returns the calls and fields with which older clients have trouble. */
	private static Set<String> breaking(JsonNode before, JsonNode after) {
		ChangedOpenApi changes = OpenApiCompare.fromContents(ApiFolder.print(before), ApiFolder.print(after), null,
				OpenApiDiffOptions.builder()
					// Clients must expect values and types that they do not know.
					.configProperty("incompatible.response.enum.increased", "false")
					.configProperty("incompatible.response.oneof.increased", "false")
					.build());
		Set<String> breaking = new TreeSet<>();
		changes.getMissingEndpoints()
			.forEach((missing) -> breaking.add(missing.getMethod() + " " + missing.getPathUrl()));
		changes.getChangedOperations()
			.stream()
			.filter((operation) -> operation.isIncompatible())
			.forEach((operation) -> breaking.add(operation.getHttpMethod() + " " + operation.getPathUrl()));
		// It takes the loss of an optional field for compatible.
		Map<String, Set<String>> now = ContractBundle.properties(after);
		ContractBundle.properties(before)
			.forEach((schema, fields) -> fields.stream()
				.filter((field) -> now.containsKey(schema) && !now.get(schema).contains(field))
				.forEach((field) -> breaking.add(schema + ": " + field)));
		return breaking;
	}

	private static String section() {
		String changelog = ApiFolder.text(ApiFolder.ROOT.resolve("CHANGELOG.md"));
		int from = changelog.indexOf("### Breaking");
		int to = changelog.indexOf("\n## [", changelog.indexOf("## [Unreleased]") + 1);
		if (from < 0 || (to > 0 && from > to)) {
			return "";
		}
		int end = changelog.indexOf("\n##", from + 1);
		return changelog.substring(from, (end > 0) ? end : changelog.length());
	}

}
