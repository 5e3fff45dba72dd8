package io.parley.loadtest.judge;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a client showed to its user, in that order.
 */
record Received(Path file, List<Step> steps) {

	private static final long MOST = 1L << 53;

	/** A line. */
	sealed interface Step {

	}

	/** The program was started again: the last message may be shown again. */
	record Started() implements Step {
	}

	/** The view began anew, with a later page. */
	record Reset() implements Step {
	}

	/**
	 * A message, or another event of the room.
	 *
	 * @param content null if the file does not say
	 */
	record Shown(int line, long position, @Nullable String sender, @Nullable String clientId,
			@Nullable Content content) implements Step {
	}

	/**
	 * Reads a file: lines {@code {"position","sender"?,"clientId"?,"text"?}}, or only the
	 * position, which a space and the text may follow; {@code {"started":true}} and
	 * {@code {"reset":true}}.
	 * @throws io.parley.loadtest.cli.LoadTestException with the line that is wrong
	 */
	static Received read(Path file) {
		List<Step> steps = new ArrayList<>();
		Lines.read(file, (line) -> steps.add(step(line)));
		return new Received(file, steps);
	}

	private static Step step(Lines.Line line) {
		JsonNode object = line.json();
		if (object == null) {
			String[] parts = line.text().split(" ", 2);
			if (!parts[0].matches("\\d{1,16}")) {
				throw line.wrong("is neither a JSON object nor a position, which a text may follow");
			}
			Content content = (parts.length == 2) ? new Content(parts[1], false) : null;
			return new Shown(line.number(), Long.parseLong(parts[0]), null, null, content);
		}
		if (line.flag(object, "started")) {
			return new Started();
		}
		if (line.flag(object, "reset")) {
			return new Reset();
		}
		JsonNode position = object.path("position");
		if (!position.isIntegralNumber() || position.asLong(-1) <= 0 || position.asLong(-1) >= MOST) {
			throw line.wrong("has no position, which is a number above 0");
		}
		return new Shown(line.number(), position.longValue(), line.text(object, "sender"),
				line.text(object, "clientId"), Content.of(line, object));
	}

}
