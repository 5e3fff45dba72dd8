package io.parley.conformance.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.parley.server.testing.ChatApi;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The schemas in docs/api, stricter than clients read them: an object has no other fields
 * than those that its schema names, unless the schema says that it has. Each schema is
 * compiled once. Safe for use by many threads.
 */
final class Schemas {

	/** In place of an address: schemas are only read from the folder. */
	private static final String BASE = "parley:/api/";

	private static final Path FOLDER = folder();

	private final SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12,
			(builder) -> builder.schemas((address) -> strict(address.substring(BASE.length())).toString()));

	private final Map<String, Schema> compiled = new ConcurrentHashMap<>();

	/** Modules lie at different depths below the root. */
	private static Path folder() {
		Path folder = Path.of("").toAbsolutePath();
		while (folder != null) {
			Path api = folder.resolve("docs/api");
			if (Files.exists(api.resolve("asyncapi.json"))) {
				return api;
			}
			folder = folder.getParent();
		}
		throw new IllegalStateException("No folder above has docs/api: this is not a complete checkout");
	}

	/** Reads a document of the folder. */
	static JsonNode read(String file) {
		try {
			return ChatApi.JSON.readTree(Files.readString(FOLDER.resolve(file)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static JsonNode strict(String file) {
		JsonNode schema = read(file);
		close(schema);
		return schema;
	}

	private static void close(JsonNode node) {
		if (node instanceof ObjectNode object && object.path("properties").isObject()
				&& !object.has("additionalProperties")) {
			object.put("additionalProperties", false);
		}
		node.forEach(Schemas::close);
	}

	/**
	 * Returns what is wrong with a value.
	 * @param schema the file and the pointer of its schema, as in {@code openapi.json#/…}
	 */
	List<String> errors(String schema, JsonNode value) {
		return this.compiled
			.computeIfAbsent(schema, (location) -> this.registry.getSchema(SchemaLocation.of(BASE + location)))
			.validate(value)
			.stream()
			.map(Error::toString)
			.toList();
	}

}
