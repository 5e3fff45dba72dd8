package io.parley.log.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;

import io.parley.log.AppendBenchmark;

/**
 * {@code EmbeddedAppendBenchmark <directory> <threads> <in flight per thread> <seconds>}.
 */
final class EmbeddedAppendBenchmark {

	private EmbeddedAppendBenchmark() {
	}

	static void main(String[] args) throws InterruptedException {
		try (EmbeddedRoomLog log = EmbeddedRoomLog
			.open(new EmbeddedLogSettings(Path.of(args[0]), AppendBenchmark.PARTITIONS, Duration.ofDays(7), 0))) {
			AppendBenchmark.run(log, log::batches, Arrays.copyOfRange(args, 1, args.length));
		}
	}

}
