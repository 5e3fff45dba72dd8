package io.parley.contracts;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.parley.events.FeatureLevel;
import io.parley.server.error.ErrorCode;
import io.parley.server.testing.AuthorizationTable;
import io.parley.server.testing.AuthorizationTable.Caller;
import io.parley.server.testing.AuthorizationTable.Row;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.http.ResponseEntity;
import org.springframework.util.StringUtils;
import org.springframework.web.method.HandlerMethod;

/**
 * Completes what springdoc infers from the controllers: with the schemas in
 * docs/api/schemas where a controller handles JSON as bytes, with the errors and the
 * security of docs/authorization.tsv, and with the fields that are always there.
 */
final class OpenApiDocument {

	private static final String JSON = "application/json";

	private static final String SCHEMAS = "schemas/";

	/** The bodies that controllers read as bytes. */
	private static final Map<String, String> BODIES = Map.ofEntries(
			Map.entry("POST /api/rooms/{room}/messages", "send"),
			Map.entry("POST /api/rooms/{room}/threads/{root}/messages", "reply"),
			Map.entry("PATCH /api/rooms/{room}/messages/{position}", "edit-at"),
			Map.entry("DELETE /api/rooms/{room}/messages/{position}", "delete-at"),
			Map.entry("PUT /api/rooms/{room}/messages/{position}/pin", "pin-at"),
			Map.entry("DELETE /api/rooms/{room}/messages/{position}/pin", "pin-at"),
			Map.entry("PUT /api/rooms/{room}/draft", "draft-body"),
			Map.entry("PUT /api/rooms/{room}/threads/{root}/draft", "draft-body"),
			Map.entry("POST /api/rooms/{room}/scheduled", "schedule"),
			Map.entry("PATCH /api/me/scheduled/{id}", "reschedule"));

	/** The bodies that may be left out. */
	private static final Set<String> OPTIONAL_BODIES = Set.of("delete-at", "pin-at");

	/** The responses that controllers write as bytes. */
	private static final Map<String, List<String>> PAGES = Map.of("GET /api/rooms/{room}/messages",
			List.of("history-page", "view-page"), "GET /api/rooms/{room}/pins", List.of("view-page"),
			"GET /api/rooms/{room}/threads/{root}/messages", List.of("thread-page"), "GET /api/me/mentions",
			List.of("mention-page"), "GET /api/rooms/{room}/messages/{position}/readers", List.of("readers"),
			"GET /api/me/drafts", List.of("drafts"), "GET /api/me/scheduled", List.of("scheduled-list"));

	private final ObjectNode document;

	private final Map<String, List<Row>> rows;

	private final Map<String, HandlerMethod> handlers;

	private final OpenApiSchemas schemas;

	private OpenApiDocument(ObjectNode document, Map<String, HandlerMethod> handlers) {
		this.document = document;
		this.handlers = handlers;
		this.rows = AuthorizationTable.read()
			.stream()
			.filter((row) -> !row.isFrame())
			.collect(Collectors.groupingBy((row) -> row.method() + " " + row.endpoint()));
		this.schemas = new OpenApiSchemas(document);
	}

	/**
	 * Returns the document.
	 * @param inferred what springdoc has made
	 * @param handlers the methods of controllers by method and path
	 */
	static ObjectNode of(ObjectNode inferred, Map<String, HandlerMethod> handlers) {
		return new OpenApiDocument(inferred, handlers).complete();
	}

	private ObjectNode complete() {
		this.document.remove("servers");
		this.document.remove("tags");
		this.document.putObject("info")
			.put("title", "Parley")
			.put("version", String.valueOf(FeatureLevel.CURRENT))
			.put("description",
					"The REST interface. The version is the feature level. Ignore fields, values and error codes that "
							+ "you do not know: later levels add some. Live events are described in asyncapi.json.");
		this.document.putArray("security").addObject().putArray("bearer");
		this.document.path("paths")
			.forEachEntry((path, operations) -> operations.forEachEntry((method,
					operation) -> complete(method.toUpperCase(Locale.ROOT) + " " + path, (ObjectNode) operation)));
		this.schemas.complete();
		addComponents();
		return this.document;
	}

	private void addComponents() {
		ObjectNode components = (ObjectNode) this.document.path("components");
		components.putObject("securitySchemes")
			.putObject("bearer")
			.put("type", "http")
			.put("scheme", "bearer")
			.put("bearerFormat", "JWT");
		ObjectNode problem = components.putObject("responses").putObject("Problem");
		problem.put("description", "An error. Its 'code' says why.");
		problem.putObject("headers")
			.putObject("Retry-After")
			.put("description", "Seconds to wait before a retry, for errors that pass.")
			.putObject("schema")
			.put("type", "integer");
		problem.putObject("content")
			.putObject("application/problem+json")
			.putObject("schema")
			.put("$ref", SCHEMAS + "problem.json");
	}

	private void complete(String call, ObjectNode operation) {
		HandlerMethod handler = this.handlers.get(call);
		List<Row> known = this.rows.getOrDefault(call, List.of());
		if (handler == null || known.isEmpty()) {
			throw new AssertionError("docs/authorization.tsv has no row for " + call + ", or no controller handles it");
		}
		operation.put("operationId", operationId(call, handler));
		operation.putArray("tags").add(known.getFirst().section());
		operation.path("parameters").forEach((parameter) -> completeParameter((ObjectNode) parameter));
		completeBody(call, operation);
		completeResponses(call, operation, handler);
		addErrors(operation, known);
		if (known.stream().noneMatch((row) -> row.refuses(Caller.NO_TOKEN))) {
			operation.putArray("security");
		}
	}

	/**
	 * Returns the names of the controller and of its method, with GET or PUT if both have
	 * one name.
	 */
	private String operationId(String call, HandlerMethod handler) {
		String name = name(handler);
		long same = this.handlers.values().stream().filter((other) -> name(other).equals(name)).count();
		return (same > 1) ? name + StringUtils.capitalize(call.substring(0, call.indexOf(' ')).toLowerCase(Locale.ROOT))
				: name;
	}

	private static String name(HandlerMethod handler) {
		String controller = handler.getBeanType().getSimpleName().replaceAll("(Rest)?Controller$", "");
		return StringUtils.uncapitalize(controller) + StringUtils.capitalize(handler.getMethod().getName());
	}

	/** The largest position is no number that JavaScript can show. */
	private static void completeParameter(ObjectNode parameter) {
		ObjectNode schema = (ObjectNode) parameter.path("schema");
		if (schema.path("default").asString("").equals(String.valueOf(Long.MAX_VALUE))) {
			schema.remove("default");
		}
		switch (parameter.path("name").asString()) {
			case "room" -> reference(schema, "common.json#/$defs/room");
			case "view" -> schema.putArray("enum").add("messages");
			default -> {
			}
		}
	}

	private static void reference(ObjectNode schema, String file) {
		schema.removeAll();
		schema.put("$ref", SCHEMAS + file);
	}

	private void completeBody(String call, ObjectNode operation) {
		JsonNode body = operation.path("requestBody").path("content").path(JSON).path("schema");
		String file = BODIES.get(call);
		if (file != null) {
			reference((ObjectNode) body, file + ".json");
			((ObjectNode) operation.path("requestBody")).put("required", !OPTIONAL_BODIES.contains(file));
		}
		else if (!body.isMissingNode()) {
			this.schemas.usedByRequest(body);
		}
	}

	private void completeResponses(String call, ObjectNode operation, HandlerMethod handler) {
		ObjectNode responses = (ObjectNode) operation.path("responses");
		for (JsonNode response : responses) {
			List<String> files = PAGES.get(call);
			if (files != null) {
				ObjectNode schema = ((ObjectNode) response).putObject("content").putObject(JSON).putObject("schema");
				page(schema, files);
			}
			else if (response.path("content").has("*/*")) {
				ObjectNode content = (ObjectNode) response.path("content");
				content.set(JSON, content.remove("*/*"));
			}
		}
		// An existing resource is 200, a new one 201.
		if (handler.getMethod().getReturnType() == ResponseEntity.class && call.startsWith("POST ")) {
			ObjectNode created = ((ObjectNode) responses.path("200")).deepCopy();
			responses.set("201", created.put("description", "Created"));
		}
	}

	private static void page(ObjectNode schema, List<String> files) {
		if (files.size() == 1) {
			reference(schema, files.getFirst() + ".json");
			return;
		}
		files.forEach((file) -> schema.withArray("oneOf").addObject().put("$ref", SCHEMAS + file + ".json"));
	}

	private static void addErrors(ObjectNode operation, List<Row> rows) {
		Map<Integer, Set<String>> codes = new TreeMap<>();
		for (Row row : rows) {
			row.outcomes()
				.values()
				.stream()
				.filter(AuthorizationTable::isRefusal)
				.forEach((code) -> codes.computeIfAbsent(status(code), (status) -> new TreeSet<>()).add(code));
		}
		ObjectNode responses = (ObjectNode) operation.path("responses");
		for (Entry<Integer, Set<String>> error : codes.entrySet()) {
			responses.putObject(String.valueOf(error.getKey()))
				.put("$ref", "#/components/responses/Problem")
				.put("description", String.join(", ", error.getValue()));
		}
		responses.putObject("default").put("$ref", "#/components/responses/Problem");
	}

	private static int status(String code) {
		for (ErrorCode one : ErrorCode.values()) {
			if (one.code().equals(code)) {
				return one.status().value();
			}
		}
		throw new AssertionError("docs/authorization.tsv has the unknown code " + code);
	}

}
