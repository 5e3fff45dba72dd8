package io.parley.loadtest.judge;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

import io.parley.loadtest.cli.LoadTestException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads a file that a client wrote, line by line.
 */
final class Lines {

	private static final int MOST_LINES = 2_000_000;

	private static final long MOST_BYTES = 1L << 30;

	private static final String BYTE_ORDER_MARK = "\uFEFF";

	private static final JsonMapper JSON = JsonMapper.shared();

	private Lines() {
	}

	/**
	 * A line that is not empty.
	 *
	 * @param number the first line has 1
	 */
	record Line(Path file, int number, String text) {

		/**
		 * Returns the JSON object of the line; null if the line does not begin as one.
		 * @throws LoadTestException when the object is not complete
		 */
		@Nullable JsonNode json() {
			if (!this.text.stripLeading().startsWith("{")) {
				return null;
			}
			try {
				return JSON.readTree(this.text);
			}
			catch (JacksonException ex) {
				throw wrong("is not a whole JSON object (" + ex.getOriginalMessage() + "): write each line at once");
			}
		}

		/**
		 * Returns a text of the object; null if there is none.
		 */
		@Nullable String text(JsonNode object, String name) {
			JsonNode value = object.path(name);
			if (value.isMissingNode() || value.isNull()) {
				return null;
			}
			if (!value.isString()) {
				throw wrong("has a " + name + " that is not a text");
			}
			return value.stringValue();
		}

		/**
		 * Returns whether a field is true.
		 */
		boolean flag(JsonNode object, String name) {
			JsonNode value = object.path(name);
			if (!value.isMissingNode() && !value.isNull() && !value.isBoolean()) {
				throw wrong("has \"" + name + "\" that is neither true nor false");
			}
			return value.asBoolean(false);
		}

		LoadTestException wrong(String how) {
			String shown = (this.text.length() > 80) ? this.text.substring(0, 80) + "…" : this.text;
			return new LoadTestException("%s:%d: the line %s: %s".formatted(this.file, this.number, how, shown));
		}

	}

	/**
	 * Takes lines.
	 */
	interface Reader {

		void read(Line line);

	}

	/**
	 * Passes each line that is not empty.
	 * @throws LoadTestException when the file cannot be read or is too large
	 */
	static void read(Path file, Reader reader) {
		try {
			if (Files.size(file) > MOST_BYTES) {
				throw new LoadTestException(file + " is larger than 1 GB: judge a shorter run.");
			}
			try (BufferedReader in = Files.newBufferedReader(file)) {
				int number = 0;
				for (String line = in.readLine(); line != null; line = in.readLine()) {
					if (++number > MOST_LINES) {
						throw new LoadTestException(
								"%s has more than %,d lines: judge a shorter run.".formatted(file, MOST_LINES));
					}
					String text = (number == 1 && line.startsWith(BYTE_ORDER_MARK)) ? line.substring(1) : line;
					if (!text.isBlank()) {
						reader.read(new Line(file, number, text));
					}
				}
			}
		}
		catch (NoSuchFileException ex) {
			throw new LoadTestException(file + " does not exist: did the client write it?");
		}
		catch (CharacterCodingException ex) {
			throw new LoadTestException(file + " is not text in UTF-8.");
		}
		catch (IOException ex) {
			throw new LoadTestException("%s cannot be read: %s".formatted(file, ex));
		}
	}

}
