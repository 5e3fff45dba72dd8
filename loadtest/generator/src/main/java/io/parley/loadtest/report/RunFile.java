package io.parley.loadtest.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonSubTypes.Type;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.report.RunReport.Chart;
import io.parley.loadtest.report.RunReport.Note;
import io.parley.loadtest.report.RunReport.Part;
import io.parley.loadtest.report.RunReport.Table;
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
		.addMixIn(Part.class, Kinds.class)
		.enable(SerializationFeature.INDENT_OUTPUT)
		.enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
		.enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
		.build();

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	@JsonSubTypes({ @Type(name = "table", value = Table.class), @Type(name = "chart", value = Chart.class),
			@Type(name = "note", value = Note.class) })
	private interface Kinds {

	}

	private RunFile() {
	}

	static String json(RunReport report) {
		return JSON.writeValueAsString(report);
	}

	/**
	 * Reads a file written by {@link #json}.
	 * @throws RefusedException when the file does not exist or has other content
	 */
	static RunReport read(Path file) {
		try {
			@Nullable RunReport report = JSON.readValue(Files.readString(file), RunReport.class);
			if (report != null) {
				return report;
			}
			throw refused(file, "it is null");
		}
		catch (IOException ex) {
			throw new RefusedException(
					"%s cannot be read: pass the .json file of an earlier run, next to its .html file."
						.formatted(file));
		}
		catch (JacksonException ex) {
			throw refused(file, ex.getOriginalMessage().lines().findFirst().orElse(""));
		}
	}

	private static RefusedException refused(Path file, String reason) {
		return new RefusedException("%s is not a report of this load kit (%s): pass the .json file of an earlier run."
			.formatted(file, reason));
	}

}
