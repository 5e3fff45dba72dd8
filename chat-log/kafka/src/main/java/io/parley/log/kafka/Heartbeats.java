package io.parley.log.kafka;

import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;

/**
 * Counts the heartbeats of a member that were answered; the client tells it no other way.
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

	/** Whether there were some since it was asked last. */
	boolean wereAnswered() {
		Object now = this.answered.metricValue();
		boolean more = !now.equals(this.seen);
		this.seen = now;
		return more;
	}

}
