package io.parley.log.kafka;

import java.util.UUID;

import io.parley.log.AppendBenchmark;

/**
 * {@code KafkaAppendBenchmark <threads> <in flight per thread> <seconds>[,…]}. Each run
 * uses a new log on a broker in the same JVM.
 */
final class KafkaAppendBenchmark {

	private KafkaAppendBenchmark() {
	}

	static void main(String[] args) throws Exception {
		try (KafkaBroker broker = new KafkaBroker()) {
			broker.run();
			for (String run : String.join(" ", args).split(",")) {
				try (KafkaRoomLog log = KafkaRoomLog
					.open(broker.settings("benchmark-" + UUID.randomUUID(), AppendBenchmark.PARTITIONS))) {
					AppendBenchmark.run(log, () -> 0, run.trim().split(" "));
				}
			}
		}
	}

}
