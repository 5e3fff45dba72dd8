package io.parley.loadtest.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.parley.loadtest.cli.LoadTestException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes a run to a JSON file and reads it back.
 */
final class RunFile {

	private static final JsonMapper JSON = JsonMapper.builder()
		.enable(SerializationFeature.INDENT_OUTPUT)
		.enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
		.enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
		.build();

	private RunFile() {
	}

	static String json(RunReport report) {
		return JSON.writeValueAsString(report);
	}

	/**
	 * Reads a file written by {@link #json}.
	 * @throws LoadTestException when the file does not exist or has other content
	 */
	static RunReport read(Path file) {
		try {
			@Nullable RunReport report = JSON.readValue(Files.readString(file), RunReport.class);
			if (report != null) {
				return report;
			}
			throw rejected(file, "it is null");
		}
		catch (IOException ex) {
			throw new LoadTestException(
					"%s cannot be read: pass the .json file of an earlier run, next to its .html file."
						.formatted(file));
		}
		catch (JacksonException ex) {
			throw rejected(file, ex.getOriginalMessage().lines().findFirst().orElse(""));
		}
	}

	private static LoadTestException rejected(Path file, String reason) {
		return new LoadTestException("%s is not a report of this load kit (%s): pass the .json file of an earlier run."
			.formatted(file, reason));
	}

}
