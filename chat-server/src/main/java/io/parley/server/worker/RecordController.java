package io.parley.server.worker;

import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

import io.parley.events.RecordFormat;
import io.parley.persistence.ParkedReplay;
import io.parley.server.error.ErrorCode;
import io.parley.store.log.WrittenFormat;

import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Operator endpoints for upgrades. The responses are plain text for people. */
@RestController
@Import(ParkedReplay.class)
class RecordController {

	private static final String TEXT = MediaType.TEXT_PLAIN_VALUE + ";charset=UTF-8";

	private static final int MAX_LINES = 100;

	private final ParkedReplay replay;

	private final WrittenFormat written;

	RecordController(ParkedReplay replay, WrittenFormat written) {
		this.replay = replay;
		this.written = written;
	}

	/** The requested record format. */
	record Wanted(int version) {
	}

	@GetMapping(path = "/api/operator/record-format", produces = TEXT)
	String format() {
		return "Records are written in format " + this.written.current().version()
				+ "; this server reads formats up to " + RecordFormat.NEWEST.version() + ".\n";
	}

	@PutMapping(path = "/api/operator/record-format", produces = TEXT)
	String raise(@RequestBody Wanted requested) {
		if (requested.version() < this.written.current().version()
				|| requested.version() > RecordFormat.NEWEST.version()) {
			throw ErrorCode.BAD_REQUEST.because("This server can raise the format from "
					+ this.written.current().version() + " up to " + RecordFormat.NEWEST.version() + " only.");
		}
		List<String> older = this.written.raise(RecordFormat.ofVersion(requested.version()), Instant.now());
		if (!older.isEmpty()) {
			throw ErrorCode.BAD_REQUEST.because("These servers cannot read format " + requested.version() + ": "
					+ String.join(", ", older) + ". Upgrade them first.");
		}
		return "Records are written in format " + requested.version() + "; all servers do so within 10 seconds.\n";
	}

	@PostMapping(path = "/api/operator/parked/replay", produces = TEXT)
	String replay() {
		ParkedReplay.Result result = this.replay.run();
		String remaining = result.remaining()
			.stream()
			.limit(MAX_LINES)
			.map((record) -> "partition %d, epoch %d, offset %d: %s%n".formatted(record.partition(), record.epoch(),
					record.offset(), record.reason().replaceAll("\\p{Cntrl}", " ")))
			.collect(Collectors.joining());
		return "Stored: %d. In the history already: %d. Still parked: %d.%n".formatted(result.stored(), result.known(),
				result.remaining().size()) + remaining;
	}

}
