package io.parley.server.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.parley.log.SigningKey;
import io.parley.log.kafka.KafkaBroker;
import io.parley.log.rabbitmq.RabbitBroker;

/**
 * A real broker that keeps logs for several servers, and the key that lets them accept
 * each other's tokens.
 */
final class SharedLog implements AutoCloseable {

	private final AutoCloseable broker;

	private final List<String> settings;

	private SharedLog(String kind, AutoCloseable broker, String... settings) {
		this.broker = broker;
		this.settings = new ArrayList<>(List.of(settings));
		this.settings.add("chat.log.backend=" + kind);
		// Each server and each of its workers has a consumer for each partition.
		this.settings.add("chat.log.partitions=4");
		this.settings.add("chat.workers.in-process=true");
		this.settings.add("chat.security.jwt.private-key=file:" + SigningKey.file());
	}

	/** Starts a broker of a kind, named as in {@code chat.log.backend}. */
	static SharedLog start(String kind) {
		return switch (kind) {
			case "kafka" -> {
				KafkaBroker kafka = KafkaBroker.startNew();
				yield new SharedLog(kind, kafka, "chat.log.kafka.bootstrap-servers=" + kafka.address(),
						"chat.log.kafka.replication=1");
			}
			case "rabbitmq" -> {
				RabbitBroker rabbit = RabbitBroker.startWithStomp();
				yield new SharedLog(kind, rabbit, "chat.log.rabbitmq.addresses=" + rabbit.address(),
						"chat.log.rabbitmq.username=" + RabbitBroker.USER,
						"chat.log.rabbitmq.password=" + RabbitBroker.USER);
			}
			default -> throw new IllegalArgumentException("There is no shared log '" + kind + "' for tests");
		};
	}

	/** Returns the settings of servers that share a new log. */
	List<String> settings() {
		String name = "test-" + UUID.randomUUID();
		List<String> all = new ArrayList<>(this.settings);
		all.add("chat.log.kafka.topic=" + name);
		all.add("chat.log.rabbitmq.stream-prefix=" + name);
		return all;
	}

	@Override
	public void close() {
		try {
			this.broker.close();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
