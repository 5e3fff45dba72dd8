package io.parley.log.kafka;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;

/**
 * Counts the answered heartbeats of a group member; the client exposes them only as a
 * metric.
 */
final class Heartbeats {

	private final Metric answered;

	private Object seen;

	Heartbeats(Consumer<?, ?> member) {
		this.answered = member.metrics()
			.entrySet()
			.stream()
			.filter((metric) -> metric.getKey().name().equals("heartbeat-total"))
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("This version of the Kafka client does not count heartbeats"))
			.getValue();
		this.seen = this.answered.metricValue();
	}

	/** Returns whether heartbeats were answered since the last call. */
	boolean wereAnswered() {
		Object now = this.answered.metricValue();
		boolean more = !now.equals(this.seen);
		this.seen = now;
		return more;
	}

}
