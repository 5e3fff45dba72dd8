package io.parley.contracts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The documents in docs/api. */
final class ApiFolder {

	static final JsonMapper JSON = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

	/** Tests run in the folder of the server. */
	static final Path ROOT = Path.of("").toAbsolutePath().getParent();

	static final Path FOLDER = ROOT.resolve("docs/api");

	private ApiFolder() {
	}

	static JsonNode read(String file) {
		return JSON.readTree(text(FOLDER.resolve(file)));
	}

	static String text(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Returns whether the documents are to be written instead of compared. */
	static boolean isWriting() {
		return Boolean.getBoolean("parley.docs.write");
	}

	static void write(String file, JsonNode document) {
		try {
			Files.writeString(FOLDER.resolve(file), print(document));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Returns the text of a document, with the names of each object in their order. */
	static String print(JsonNode document) {
		return JSON.writeValueAsString(sorted(document)).replace("\r", "") + "\n";
	}

	private static JsonNode sorted(JsonNode node) {
		if (node instanceof ObjectNode object) {
			TreeMap<String, JsonNode> fields = new TreeMap<>();
			object.forEachEntry((name, value) -> fields.put(name, sorted(value)));
			ObjectNode sorted = JSON.createObjectNode();
			fields.forEach(sorted::set);
			return sorted;
		}
		if (node instanceof ArrayNode array) {
			ArrayNode sorted = JSON.createArrayNode();
			array.forEach((element) -> sorted.add(sorted(element)));
			return sorted;
		}
		return node;
	}

	/** Returns the names of the schemas, without their ending. */
	static List<String> schemas() {
		try (Stream<Path> files = Files.list(FOLDER.resolve("schemas"))) {
			return files.map((file) -> file.getFileName().toString().replaceAll("\\.json$", "")).sorted().toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Returns all references in a document. */
	static List<String> references(JsonNode node) {
		List<String> references = new ArrayList<>();
		if (node.path("$ref").isString()) {
			references.add(node.path("$ref").asString());
		}
		node.forEach((child) -> references.addAll(references(child)));
		return references;
	}

}
