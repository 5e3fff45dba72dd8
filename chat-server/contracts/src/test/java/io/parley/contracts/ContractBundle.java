package io.parley.contracts;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * All of docs/api as one OpenAPI document, for comparing only: what the server sends over
 * STOMP is a response, and what clients send a request. It is OpenAPI 3.0, because
 * openapi-diff does not see types in 3.1.
 */
final class ContractBundle {

	private static final String REFERENCE = "#/components/schemas/";

	/** Fields that say nothing about compatibility, or have no place in OpenAPI 3.0. */
	private static final Set<String> LEFT_OUT = Set.of("$schema", "$defs", "description", "title", "examples",
			"operationId", "tags", "security", "default", "anyOf");

	private final ObjectNode bundle = ApiFolder.JSON.createObjectNode();

	private final ObjectNode schemas;

	private ContractBundle() {
		this.bundle.put("openapi", "3.0.3").putObject("info").put("title", "Parley").put("version", "0");
		this.bundle.putObject("paths");
		this.schemas = this.bundle.putObject("components").putObject("schemas");
	}

	/** Returns the documents as they are now. */
	static ObjectNode current() {
		ContractBundle bundle = new ContractBundle();
		bundle.addFiles();
		bundle.addHttp(ApiFolder.read("openapi.json"));
		bundle.addStomp(ApiFolder.read("asyncapi.json"));
		return bundle.bundle;
	}

	private void addFiles() {
		for (String name : ApiFolder.schemas()) {
			JsonNode schema = ApiFolder.read("schemas/" + name + ".json");
			if (schema.has("type") || schema.has("oneOf")) {
				this.schemas.set(name, convert(schema, name + ".json"));
			}
			schema.path("$defs")
				.forEachEntry(
						(part, definition) -> this.schemas.set(name + "." + part, convert(definition, name + ".json")));
		}
		// Clients must expect codes that they do not know.
		((ObjectNode) this.schemas.path("common.errorCode")).remove("enum");
	}

	private void addHttp(JsonNode document) {
		document.path("components")
			.path("schemas")
			.forEachEntry((name, schema) -> this.schemas.set("http." + name, convert(schema, "")));
		ObjectNode paths = (ObjectNode) convert(document.path("paths"), "");
		paths.forEach((path) -> path.forEach((operation) -> {
			ObjectNode responses = (ObjectNode) operation.path("responses");
			responses.propertyNames()
				.stream()
				.filter((status) -> !status.startsWith("2"))
				.toList()
				.forEach(responses::remove);
			responses.forEach((response) -> ((ObjectNode) response).put("description", ""));
		}));
		((ObjectNode) this.bundle.path("paths")).setAll(paths);
	}

	private void addStomp(JsonNode document) {
		JsonNode messages = document.path("components").path("messages");
		document.path("operations").forEach((operation) -> operation.path("messages").forEach((reference) -> {
			String name = reference.path("$ref").asString().replaceAll(".*/", "");
			JsonNode message = messages.path(name);
			boolean ofClient = operation.path("action").asString().equals("receive");
			addFrame(name, "body", message.path("payload"), ofClient);
			addFrame(name, "headers", message.path("headers"), ofClient);
		}));
	}

	private void addFrame(String name, String part, JsonNode schema, boolean ofClient) {
		if (schema.isMissingNode()) {
			return;
		}
		ObjectNode content = ApiFolder.JSON.createObjectNode();
		content.putObject("content").putObject("application/json").set("schema", convert(schema, ""));
		ObjectNode path = ((ObjectNode) this.bundle.path("paths"))
			.putObject("/stomp/" + name.replace(' ', '.') + "/" + part);
		ObjectNode operation = path.putObject(ofClient ? "post" : "get");
		if (ofClient) {
			operation.set("requestBody", content);
			operation.putObject("responses").putObject("200").put("description", "");
		}
		else {
			operation.putObject("responses").set("200", content.put("description", ""));
		}
	}

	/**
	 * Returns a schema, or what contains some, as OpenAPI 3.0 has it.
	 * @param file where it is, to resolve its references; empty for those in the folder
	 */
	private static JsonNode convert(JsonNode node, String file) {
		if (node instanceof ArrayNode array) {
			ArrayNode converted = ApiFolder.JSON.createArrayNode();
			array.forEach((element) -> converted.add(convert(element, file)));
			return converted;
		}
		if (!(node instanceof ObjectNode object)) {
			return node;
		}
		if (object.path("$ref").isString()) {
			return ApiFolder.JSON.createObjectNode().put("$ref", reference(object.path("$ref").asString(), file));
		}
		if (object.path("type").isArray()) {
			return convert(object.deepCopy().put("type", object.path("type").path(0).asString()), file).deepCopy();
		}
		if (object.path("oneOf").size() == 2 && object.path("oneOf").path(1).path("type").asString("").equals("null")) {
			return convert(object.path("oneOf").path(0), file);
		}
		ObjectNode converted = ApiFolder.JSON.createObjectNode();
		object.forEachEntry((name, value) -> put(converted, name, value, file));
		return converted;
	}

	private static void put(ObjectNode converted, String name, JsonNode value, String file) {
		switch (name) {
			case "properties" -> {
				ObjectNode properties = converted.putObject(name);
				value.forEachEntry((property, schema) -> properties.set(property, convert(schema, file)));
			}
			case "const" -> converted.putArray("enum").add(value);
			case "exclusiveMinimum" -> converted.put("minimum", value.asInt() + 1);
			case "type" ->
				converted.set(name, value.asString().equals("null") ? ApiFolder.JSON.valueToTree("string") : value);
			default -> {
				if (!LEFT_OUT.contains(name)) {
					converted.set(name, convert(value, file));
				}
			}
		}
	}

	private static String reference(String reference, String file) {
		if (reference.startsWith(REFERENCE)) {
			return REFERENCE + "http." + reference.substring(REFERENCE.length());
		}
		String whole = reference.startsWith("#") ? file + reference : reference;
		return REFERENCE + whole.replaceAll("^schemas/", "").replace(".json#/$defs/", ".").replaceAll("\\.json$", "");
	}

	/** Returns the properties of all schemas, as {@code schema.property}. */
	static Map<String, Set<String>> properties(JsonNode bundle) {
		Map<String, Set<String>> properties = new TreeMap<>();
		bundle.path("components")
			.path("schemas")
			.forEachEntry(
					(name, schema) -> properties.put(name, new TreeSet<>(schema.path("properties").propertyNames())));
		return properties;
	}

}
