package io.parley.contracts;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.util.ClassUtils;

/**
 * The schemas of records: short names, and which fields are always there. A field that is
 * nullable is null, or missing if its record leaves out nulls.
 */
final class OpenApiSchemas {

	private static final String REFERENCE = "#/components/schemas/";

	/** Described by files, which the events of STOMP use too, or not described. */
	private static final Map<String, String> FILES = Map.of("io.parley.server.delivery.UserEvents.Accepted",
			"schemas/accepted.json", "io.parley.server.delivery.UserEvents.ScheduledView", "schemas/scheduled.json",
			"io.parley.server.message.DraftView", "schemas/draft.json");

	private static final String ANY_JSON = "tools.jackson.databind.JsonNode";

	private final ObjectNode document;

	private final ObjectNode schemas;

	private final Set<String> ofRequests = new HashSet<>();

	OpenApiSchemas(ObjectNode document) {
		this.document = document;
		this.schemas = (ObjectNode) document.path("components").path("schemas");
	}

	/** Notes that a schema, and those that it uses, belong to a request. */
	void usedByRequest(JsonNode schema) {
		for (String reference : ApiFolder.references(schema)) {
			if (reference.startsWith(REFERENCE)) {
				String name = reference.substring(REFERENCE.length());
				if (this.ofRequests.add(name)) {
					usedByRequest(this.schemas.path(name));
				}
			}
		}
	}

	/** Completes all schemas, and gives them short names. */
	void complete() {
		Map<String, String> references = new HashMap<>();
		Set<String> names = new TreeSet<>(this.schemas.propertyNames());
		FILES.forEach((name, file) -> references.put(REFERENCE + name, file));
		for (String name : names) {
			ObjectNode schema = (ObjectNode) this.schemas.remove(name);
			if (FILES.containsKey(name) || name.equals(ANY_JSON)) {
				continue;
			}
			completeRecord(record(name), schema, this.ofRequests.contains(name));
			String shortName = shortName(name);
			if (this.schemas.has(shortName)) {
				throw new AssertionError("Two records would be the schema " + shortName + ": rename one");
			}
			this.schemas.set(shortName, schema);
			references.put(REFERENCE + name, REFERENCE + shortName);
		}
		replace(this.document, references);
	}

	private static Class<?> record(String name) {
		try {
			return ClassUtils.forName(name, null);
		}
		catch (ClassNotFoundException ex) {
			throw new AssertionError("No class has the name of the schema " + name, ex);
		}
	}

	/** Returns the names of a class and those around it, without "Controller". */
	private static String shortName(String name) {
		return name.replaceAll("^[a-z.]+", "").replaceAll("(Controller|Views)\\.", "").replace(".", "");
	}

	private void completeRecord(Class<?> type, ObjectNode schema, boolean ofRequest) {
		ObjectNode properties = (ObjectNode) schema.path("properties");
		Set<String> required = new TreeSet<>();
		boolean omitsNulls = omitsNulls(type);
		for (RecordComponent component : type.getRecordComponents()) {
			String name = name(type, component);
			ObjectNode property = (ObjectNode) properties.path(name);
			if (component.getType().getName().equals(ANY_JSON)) {
				property.removeAll();
				property.put("type", name.equals("position") ? "integer" : "object");
			}
			if (property.path("pattern").isString()) {
				// Java compares the whole string, JSON Schema a part of it.
				property.put("pattern", "^(?:" + property.path("pattern").asString() + ")$");
			}
			boolean nullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
			if (!nullable || (!ofRequest && !omitsNulls)) {
				required.add(name);
			}
			if (nullable && (ofRequest || !omitsNulls)) {
				properties.set(name, orNull(property));
			}
		}
		schema.remove("required");
		if (!required.isEmpty()) {
			required.forEach(schema.putArray("required")::add);
		}
	}

	private static boolean omitsNulls(Class<?> type) {
		JsonInclude include = type.getAnnotation(JsonInclude.class);
		return include != null && include.value() == JsonInclude.Include.NON_NULL;
	}

	private static String name(Class<?> type, RecordComponent component) {
		try {
			AnnotatedElement field = type.getDeclaredField(component.getName());
			JsonProperty given = field.getAnnotation(JsonProperty.class);
			return (given != null) ? given.value() : component.getName();
		}
		catch (NoSuchFieldException ex) {
			throw new AssertionError(ex);
		}
	}

	private static ObjectNode orNull(ObjectNode property) {
		if (property.path("type").isString() && !property.has("enum")) {
			String type = property.path("type").asString();
			property.putArray("type").add(type).add("null");
			return property;
		}
		ObjectNode either = ApiFolder.JSON.createObjectNode();
		either.putArray("oneOf").add(property).addObject().put("type", "null");
		return either;
	}

	private static void replace(JsonNode node, Map<String, String> references) {
		if (node instanceof ObjectNode object && object.path("$ref").isString()) {
			String reference = object.path("$ref").asString();
			object.put("$ref", references.getOrDefault(reference, reference));
		}
		node.forEach((child) -> replace(child, references));
	}

}
