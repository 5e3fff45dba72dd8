package io.parley.log.rabbitmq;

import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import com.rabbitmq.stream.Address;
import com.rabbitmq.stream.Environment;
import io.parley.log.LogUnavailableException;
import io.parley.log.RoomLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A replica that lags behind must not be taken for a log that has lost records. */
class LaggingReplicaIntegrationTests {

	private static final int CHECKS = 5;

	@RegisterExtension
	static final RabbitCluster cluster = new RabbitCluster();

	private final String prefix = "test-" + UUID.randomUUID();

	private final String stream = this.prefix + ".0";

	private int lagging;

	private int current;

	@BeforeEach
	void suspendAReplica() throws Exception {
		try (RoomLog log = RabbitRoomLog.open(cluster.settings(0, this.prefix))) {
			log.append(0, new byte[1]).get(1, TimeUnit.MINUTES);
		}
		int leader = IntStream.range(0, cluster.size()).filter(this::isLeader).findFirst().orElseThrow();
		this.lagging = (leader + 1) % cluster.size();
		this.current = (leader + 2) % cluster.size();
		cluster.suspendReplica(this.lagging, this.stream);
	}

	@AfterEach
	void resumeIt() throws Exception {
		cluster.resumeReplica(this.lagging, this.stream);
	}

	private boolean isLeader(int node) {
		try {
			return cluster.isLeader(node, this.stream);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Connects to the lagging replica by a host name that the nodes do not advertise, and
	 * reads from the given one of the two replicas.
	 */
	private Environment environment(int from) {
		return Environment.builder()
			.uri("rabbitmq-stream://" + cluster.address(this.lagging).replace("127.0.0.1", "localhost"))
			.username(RabbitBroker.USER)
			.password(RabbitBroker.USER)
			.forceReplicaForConsumers(true)
			.addressResolver((node) -> isReplica(node) ? Broker.address(cluster.address(from)) : node)
			.build();
	}

	private boolean isReplica(Address node) {
		return node.equals(Broker.address(cluster.address(this.lagging)))
				|| node.equals(Broker.address(cluster.address(this.current)));
	}

	private RabbitPartition partition(Environment environment) {
		RabbitPartition partition = new RabbitPartition(environment, this.stream, 0,
				cluster.settings(this.lagging, this.prefix), new InFlightLimit(10), 1);
		partition.awaitEnd();
		return partition;
	}

	@Test
	void doesNotTreatRecordsMissingOnAReplicaAsLost() throws Exception {
		try (Environment environment = environment(this.current)) {
			RabbitPartition partition = partition(environment);
			assertThat(partition.appender().append(new byte[1]).get(1, TimeUnit.MINUTES)).isOne();
			assertThat(StreamState.ask(environment, this.stream).end()).isOne();
			for (int look = 0; look < CHECKS; look++) {
				assertThat(partition.check()).as("look %d", look).isTrue();
			}
		}
	}

	@Test
	void letsAReaderContinueBeyondTheEndOfALaggingReplica() throws Exception {
		try (Environment toCurrent = environment(this.current); Environment toLagging = environment(this.lagging)) {
			RabbitPartition partition = partition(toLagging);
			partition(toCurrent).appender().append(new byte[1]).get(1, TimeUnit.MINUTES);
			assertThat(partition.state().end()).isOne();
			partition.requireAllBelow(2);
			assertThat(partition.check()).isTrue();
			assertThatExceptionOfType(LogUnavailableException.class).isThrownBy(() -> partition.requireAllBelow(3))
				.withMessageContaining("ends at 2, but a reader has read up to 3");
			assertThat(partition.check()).isFalse();
		}
	}

}
