package io.parley.log.rabbitmq;

import java.util.UUID;

import io.parley.log.AppendBenchmark;

/**
 * {@code RabbitAppendBenchmark <threads> <in flight per thread> <seconds>[,…]}. Each run
 * uses a new log on a broker in a container.
 */
final class RabbitAppendBenchmark {

	private RabbitAppendBenchmark() {
	}

	static void main(String[] args) throws Exception {
		try (RabbitBroker broker = new RabbitBroker()) {
			broker.run();
			for (String run : String.join(" ", args).split(",")) {
				try (RabbitRoomLog log = RabbitRoomLog
					.open(broker.settings("benchmark-" + UUID.randomUUID(), AppendBenchmark.PARTITIONS))) {
					AppendBenchmark.run(log, () -> 0, run.trim().split(" "));
				}
			}
		}
	}

}
