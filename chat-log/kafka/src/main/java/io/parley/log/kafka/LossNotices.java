package io.parley.log.kafka;

import java.util.concurrent.ExecutionException;

import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * Notifies all processes, including those that open the log later, that it has lost
 * records. New records get offsets that were assigned before, so from then on it is
 * another log. Processes that notice the loss at the same time may publish it twice,
 * which only makes some of them restart once more.
 */
final class LossNotices {

	private final Clients clients;

	private final Topic topic;

	private final String leases;

	private final long knownLosses;

	LossNotices(Clients clients, Topic topic, KafkaTopology topology) {
		this.clients = clients;
		this.topic = topic;
		this.leases = topology.leases().name();
		this.knownLosses = topic.losses();
	}

	/**
	 * Publishes the loss, unless another process has published it since the log was
	 * opened.
	 */
	void publish() {
		if (this.topic.losses() != this.knownLosses) {
			return;
		}
		try (Producer<byte[], byte[]> producer = this.clients.producer(this.leases)) {
			producer.send(new ProducerRecord<>(this.leases, 0, null, new byte[] { 1 })).get();
		}
		catch (ExecutionException ex) {
			throw new KafkaException("The loss of records could not be published", ex.getCause());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new KafkaException("Interrupted while publishing the loss of records", ex);
		}
	}

}
