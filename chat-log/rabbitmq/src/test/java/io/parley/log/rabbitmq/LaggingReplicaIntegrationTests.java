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

/** A replica that gets no more records is no log that has lost some. */
class LaggingReplicaIntegrationTests {

	private static final int LOOKS = 5;

	@RegisterExtension
	static final RabbitCluster cluster = new RabbitCluster();

	private final String prefix = "test-" + UUID.randomUUID();

	private final String stream = this.prefix + ".0";

	private int behind;

	private int fresh;

	@BeforeEach
	void suspendAReplica() throws Exception {
		try (RoomLog log = RabbitRoomLog.open(cluster.settings(0, this.prefix))) {
			log.append(0, new byte[1]).get(1, TimeUnit.MINUTES);
		}
		int leader = IntStream.range(0, cluster.size()).filter(this::isLeader).findFirst().orElseThrow();
		this.behind = (leader + 1) % cluster.size();
		this.fresh = (leader + 2) % cluster.size();
		cluster.suspendReplica(this.behind, this.stream);
	}

	@AfterEach
	void resumeIt() throws Exception {
		cluster.resumeReplica(this.behind, this.stream);
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
	 * Asks the replica that is behind, by another name than the nodes advertise; reads
	 * from one of the two.
	 */
	private Environment environment(int from) {
		return Environment.builder()
			.uri("rabbitmq-stream://" + cluster.address(this.behind).replace("127.0.0.1", "localhost"))
			.username(RabbitBroker.USER)
			.password(RabbitBroker.USER)
			.forceReplicaForConsumers(true)
			.addressResolver((node) -> isReplica(node) ? Broker.address(cluster.address(from)) : node)
			.build();
	}

	private boolean isReplica(Address node) {
		return node.equals(Broker.address(cluster.address(this.behind)))
				|| node.equals(Broker.address(cluster.address(this.fresh)));
	}

	private RabbitPartition partition(Environment environment) {
		RabbitPartition partition = new RabbitPartition(environment, this.stream,
				cluster.settings(this.behind, this.prefix), new InFlightLimit(10), 1);
		partition.awaitEnd();
		return partition;
	}

	@Test
	void doesNotTakeWhatAReplicaLacksForLost() throws Exception {
		try (Environment environment = environment(this.fresh)) {
			RabbitPartition partition = partition(environment);
			assertThat(partition.appender().append(new byte[1]).get(1, TimeUnit.MINUTES)).isOne();
			assertThat(StreamState.ask(environment, this.stream).end()).isOne();
			for (int look = 0; look < LOOKS; look++) {
				assertThat(partition.look()).as("look %d", look).isTrue();
			}
		}
	}

	@Test
	void letsAReaderGoOnThatHasReadWhatAReplicaLacks() throws Exception {
		try (Environment freshOnes = environment(this.fresh); Environment old = environment(this.behind)) {
			RabbitPartition partition = partition(old);
			partition(freshOnes).appender().append(new byte[1]).get(1, TimeUnit.MINUTES);
			assertThat(partition.tail().end()).isOne();
			partition.requireAllBelow(2);
			assertThat(partition.look()).isTrue();
			assertThatExceptionOfType(LogUnavailableException.class).isThrownBy(() -> partition.requireAllBelow(3))
				.withMessageContaining("ends at 2, but a reader has read up to 3");
			assertThat(partition.look()).isFalse();
		}
	}

}
