package io.parley.log.kafka;

import java.util.concurrent.ExecutionException;

import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * Tells all processes, those too that open the log later, that it has lost records: new
 * ones get offsets that were given out before, so it is another log from now on. Several
 * that notice it at once may tell it twice, which only makes some restart once more.
 */
final class LossNotices {

	private final Clients clients;

	private final Topic topic;

	private final String turns;

	private final long known;

	LossNotices(Clients clients, Topic topic, KafkaTopology topology) {
		this.clients = clients;
		this.topic = topic;
		this.turns = topology.turns().name();
		this.known = topic.losses();
	}

	/** Tells it, unless somebody has told it since the log was opened. */
	void tell() {
		if (this.topic.losses() != this.known) {
			return;
		}
		try (Producer<byte[], byte[]> producer = this.clients.producer(this.turns)) {
			producer.send(new ProducerRecord<>(this.turns, 0, null, new byte[] { 1 })).get();
		}
		catch (ExecutionException ex) {
			throw new KafkaException("The loss of records could not be told", ex.getCause());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new KafkaException("Interrupted while the loss of records was told", ex);
		}
	}

}
