package io.parley.log.rabbitmq;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.parley.log.FreePorts;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.lifecycle.Startables;

import static org.assertj.core.api.Assertions.assertThat;

/** A real cluster of three brokers in containers, for the tests of a class. */
final class RabbitCluster implements ExecutionCondition, BeforeAllCallback, AfterAllCallback {

	private static final int NODES = 3;

	private static final String ADDRESS = "127.0.0.1";

	private final Network network = Network.newNetwork();

	private final List<Integer> ports = new ArrayList<>();

	private List<GenericContainer<?>> nodes = List.of();

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		return DockerClientFactory.instance().isDockerAvailable()
				? ConditionEvaluationResult.enabled("A Docker engine answers")
				: ConditionEvaluationResult.disabled("No Docker engine answers: start one to test with RabbitMQ");
	}

	@Override
	public void beforeAll(ExtensionContext context) {
		for (int node = 0; node < NODES; node++) {
			this.ports.add(FreePorts.next());
		}
		this.nodes = IntStream.range(0, NODES).<GenericContainer<?>>mapToObj(this::node).toList();
		Startables.deepStart(this.nodes).join();
	}

	private GenericContainer<?> node(int number) {
		String peers = IntStream.range(0, NODES)
			.mapToObj((peer) -> "cluster_formation.classic_config.nodes." + (peer + 1) + " = rabbit@node" + peer + "\n")
			.collect(Collectors.joining());
		GenericContainer<?> node = new GenericContainer<>(RabbitBroker.IMAGE).withNetwork(this.network)
			.withNetworkAliases("node" + number)
			.withCreateContainerCmdModifier((command) -> command.withHostName("node" + number))
			.withEnv("RABBITMQ_DEFAULT_USER", RabbitBroker.USER)
			.withEnv("RABBITMQ_DEFAULT_PASS", RabbitBroker.USER)
			.withEnv("RABBITMQ_ERLANG_COOKIE", "parley")
			.withCopyToContainer(Transferable.of("[rabbitmq_stream]."), "/etc/rabbitmq/enabled_plugins")
			.withCopyToContainer(Transferable
				.of("cluster_formation.peer_discovery_backend = classic_config\n" + peers + "stream.advertised_host = "
						+ ADDRESS + "\nstream.advertised_port = " + this.ports.get(number) + "\n"),
					"/etc/rabbitmq/conf.d/90-cluster.conf")
			.waitingFor(Wait.forLogMessage(".*Server startup complete.*", 1).withStartupTimeout(Duration.ofMinutes(3)));
		node.setPortBindings(List.of(ADDRESS + ":" + this.ports.get(number) + ":" + 5552));
		return node;
	}

	@Override
	public void afterAll(ExtensionContext context) {
		this.nodes.forEach(GenericContainer::stop);
		this.network.close();
	}

	int size() {
		return NODES;
	}

	/**
	 * Returns settings of a log that contacts this node first and then connects to the
	 * nodes that are advertised. Two addresses indicate that there is no load balancer.
	 */
	RabbitLogSettings settings(int node, String prefix) {
		String address = address(node);
		return new RabbitLogSettings(List.of(address, address), RabbitBroker.USER, RabbitBroker.USER, "/", prefix, 1,
				Duration.ofDays(7), 1_000_000_000, 100_000_000, Duration.ofSeconds(10), 10_000, Duration.ofMinutes(1));
	}

	String address(int node) {
		return ADDRESS + ":" + this.ports.get(node);
	}

	/**
	 * Suspends the replica on this node. It receives no more records of the stream until
	 * it is resumed, but still reports its state.
	 */
	void suspendReplica(int node, String stream) throws Exception {
		call(node, stream, "suspend");
	}

	void resumeReplica(int node, String stream) throws Exception {
		call(node, stream, "resume");
	}

	boolean isLeader(int node, String stream) throws Exception {
		return eval(node, stream, "{ok, Members} = rabbit_stream_coordinator:members(Name), {_, Role} ="
				+ " maps:get(node(), Members), Role.")
			.contains("writer");
	}

	private void call(int node, String stream, String function) throws Exception {
		assertThat(
				eval(node, stream, "{ok, Pid} = rabbit_stream_coordinator:local_pid(Name), sys:" + function + "(Pid)."))
			.contains("ok");
	}

	private String eval(int node, String stream, String expressions) throws Exception {
		ExecResult result = this.nodes.get(node)
			.execInContainer("rabbitmqctl", "eval",
					"{ok, Queue} = rabbit_amqqueue:lookup(rabbit_misc:r(<<\"/\">>, queue, <<\"" + stream
							+ "\">>)), #{name := Name} = amqqueue:get_type_state(Queue), " + expressions);
		assertThat(result.getExitCode()).as(result.getStderr()).isZero();
		return result.getStdout();
	}

}
