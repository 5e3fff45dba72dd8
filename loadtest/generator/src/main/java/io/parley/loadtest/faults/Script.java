package io.parley.loadtest.faults;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.parley.loadtest.cli.LoadTestException;

/**
 * The rules by which faults happen, in the order of their lines.
 */
record Script(List<Rule> rules) {

	/** The grammar, for people. */
	static final String[] GRAMMAR = { "One action in each line; # begins a comment.", "", "  after TIME ACTION",
			"  every TIME ACTION", "  after N frames to client|server ACTION",
			"  every N frames to client|server ACTION", "",
			"TIME is 300ms, 2s, 5m or 300ms..2s. N is 7 or 5..40: frames of each WebSocket by itself, without"
					+ " heart-beats. Of a range another value is taken each time, by --seed.",
			"", "  cut [WHOM] [by reset|end]             end it by RST or FIN, or by chance",
			"  cut-inside [WHOM] [to client|server]  forward a part of a frame, then cut",
			"  swallow-receipt [WHOM]                instead of the next RECEIPT or \"accepted\", cut",
			"  close [WHOM] with CODE                instead of the next frame to the client, close: 1001, 1013, 4401 …",
			"  half-open [WHOM] [for TIME]           forward nothing (30s), then cut",
			"  delay [WHOM] [to client|server] by TIME for TIME",
			"                                        forward later, in order",
			"  trickle [WHOM] [to client|server] for TIME",
			"                                        forward 1,000 bytes a second",
			"  omit [WHOM]                           leave out the next event of a room",
			"  repeat [WHOM]                         forward the next event twice",
			"  stale-after [WHOM]                    change the position of the next resume to one that is unknown",
			"  answer-503 for TIME                   answer new connections with 503 and Retry-After",
			"  refuse for TIME                       reset new connections",
			"  restart                               run the command of --restart", "",
			"WHOM is one (any WebSocket, the default), websockets, or all (requests over HTTP too). With frames it is"
					+ " the WebSocket itself, so it is not named." };

	private static final int MAX_LINES = 1000;

	private static final int MAX_BYTES = 100_000;

	Script {
		rules = List.copyOf(rules);
	}

	/**
	 * Reads a script.
	 * @throws LoadTestException with the line that is wrong and what is allowed there
	 */
	static Script read(Path file) {
		try {
			if (Files.size(file) > MAX_BYTES) {
				throw new LoadTestException("%s has more than %,d bytes: it is no script.".formatted(file, MAX_BYTES));
			}
			return parse(file.toString(), Files.readAllLines(file));
		}
		catch (NoSuchFileException ex) {
			throw new LoadTestException("The script " + file + " does not exist.");
		}
		catch (CharacterCodingException ex) {
			throw new LoadTestException("The script " + file + " is not text in UTF-8.");
		}
		catch (IOException ex) {
			throw new LoadTestException("The script %s cannot be read: %s".formatted(file, ex));
		}
	}

	/**
	 * Parses the lines of a script.
	 * @param name the name of the script in errors
	 * @throws LoadTestException with the line that is wrong and what is allowed there
	 */
	static Script parse(String name, List<String> lines) {
		if (lines.size() > MAX_LINES) {
			throw new LoadTestException("%s has more than %,d lines: it is no script.".formatted(name, MAX_LINES));
		}
		List<Rule> rules = new ArrayList<>();
		for (int n = 0; n < lines.size(); n++) {
			List<String> words = words(lines.get(n));
			if (!words.isEmpty()) {
				rules.add(new ScriptLine(name + ":" + (n + 1), words).parse());
			}
		}
		if (rules.isEmpty()) {
			throw new LoadTestException(name + " has no action: write one in each line, as \"every 1s..3s cut one\".");
		}
		return new Script(rules);
	}

	private static List<String> words(String line) {
		return Stream.of(line.split("#", 2)[0].strip().split("\\s+")).filter((word) -> !word.isEmpty()).toList();
	}

	boolean restarts() {
		return this.rules.stream().anyMatch((rule) -> rule.action().kind() == Action.Kind.RESTART);
	}

}
