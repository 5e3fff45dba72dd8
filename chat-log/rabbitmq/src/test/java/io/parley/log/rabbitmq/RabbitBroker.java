package io.parley.log.rabbitmq;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

import com.github.dockerjava.api.DockerClient;
import com.rabbitmq.stream.Environment;
import io.parley.log.FreePorts;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A real broker in a container, for the tests of a class. It keeps its port when it is
 * restarted.
 */
public final class RabbitBroker implements ExecutionCondition, BeforeAllCallback, AfterAllCallback, AutoCloseable {

	static final String IMAGE = System.getProperty("parley.test.rabbitmq-image", "rabbitmq:4.3-management");

	/** The user name, which is also the password. */
	public static final String USER = "parley";

	private static final int STREAM_PORT = 5552;

	private static final int STOMP_PORT = 61613;

	private static final String ADDRESS = "127.0.0.1";

	private final boolean stomp;

	private int port;

	private int stompPort;

	private GenericContainer<?> container;

	public RabbitBroker() {
		this(false);
	}

	private RabbitBroker(boolean stomp) {
		this.stomp = stomp;
	}

	/** Starts a broker with a STOMP listener that runs until it is closed. */
	public static RabbitBroker startWithStomp() {
		RabbitBroker broker = new RabbitBroker(true);
		broker.run();
		return broker;
	}

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		return DockerClientFactory.instance().isDockerAvailable()
				? ConditionEvaluationResult.enabled("A Docker engine answers")
				: ConditionEvaluationResult.disabled("No Docker engine answers: start one to test with RabbitMQ");
	}

	@Override
	public void beforeAll(ExtensionContext context) {
		run();
	}

	void run() {
		this.port = FreePorts.next();
		this.stompPort = FreePorts.next();
		this.container = new GenericContainer<>(IMAGE)
			.withCopyToContainer(
					Transferable.of(this.stomp ? "[rabbitmq_stream,rabbitmq_stomp]." : "[rabbitmq_stream]."),
					"/etc/rabbitmq/enabled_plugins")
			.withEnv("RABBITMQ_DEFAULT_USER", USER)
			.withEnv("RABBITMQ_DEFAULT_PASS", USER)
			.waitingFor(Wait.forLogMessage(".*Server startup complete.*", 1).withStartupTimeout(Duration.ofMinutes(3)));
		List<String> bindings = new ArrayList<>(List.of(ADDRESS + ":" + this.port + ":" + STREAM_PORT));
		if (this.stomp) {
			bindings.add(ADDRESS + ":" + this.stompPort + ":" + STOMP_PORT);
		}
		this.container.setPortBindings(bindings);
		this.container.start();
	}

	@Override
	public void afterAll(ExtensionContext context) {
		close();
	}

	@Override
	public void close() {
		if (this.container != null) {
			this.container.stop();
		}
	}

	/** Returns {@code host:port} of the stream listener. */
	public String address() {
		return ADDRESS + ":" + this.port;
	}

	/** Returns the port of the STOMP listener on the same host, if the broker has one. */
	public int stompPort() {
		return this.stompPort;
	}

	int port() {
		return this.port;
	}

	public RabbitLogSettings settings(String prefix, int partitions) {
		return settings(address(), prefix, partitions);
	}

	static RabbitLogSettings settings(String address, String prefix, int partitions) {
		return new RabbitLogSettings(List.of(address), USER, USER, "/", prefix, partitions, Duration.ofDays(7),
				1_000_000_000, 100_000_000, Duration.ofSeconds(10), 10_000, Duration.ofMinutes(1));
	}

	/** Opens a connection that the log does not use. */
	Environment environment() {
		return Broker.connect(settings("none", 1));
	}

	public void restart() {
		call((docker, id) -> docker.restartContainerCmd(id).withTimeout(30).exec());
	}

	/** Kills the broker as a crash would. */
	void kill() {
		call((docker, id) -> docker.killContainerCmd(id).exec());
	}

	public void stop() {
		call((docker, id) -> docker.stopContainerCmd(id).withTimeout(30).exec());
	}

	public void start() {
		call((docker, id) -> docker.startContainerCmd(id).exec());
	}

	/** Suspends the broker: its connections stay open, and nothing is answered. */
	public void pause() {
		call((docker, id) -> docker.pauseContainerCmd(id).exec());
	}

	/** Continues after {@link #pause}. */
	public void unpause() {
		call((docker, id) -> docker.unpauseContainerCmd(id).exec());
	}

	/** Deletes the stream of a partition with all its records. */
	public void deleteStream(String prefix, int partition) {
		try (Environment environment = environment()) {
			environment.deleteStream(prefix + "." + partition);
		}
	}

	/** Sets which queues and streams the user may write to. */
	void setWritePermission(String names) throws Exception {
		control("set_permissions", USER, ".*", names, ".*");
	}

	/** Sets the limit of free disk space below which the broker blocks all publishers. */
	void setFreeDiskLimit(String size) throws Exception {
		control("set_disk_free_limit", size);
	}

	/** Sets a policy by which the broker keeps less of each partition of a log. */
	public void keepLess(String prefix, long bytes) throws Exception {
		control("set_policy", "--apply-to", "streams", prefix, "^" + prefix + "\\.[0-9]+$",
				"{\"max-length-bytes\":" + bytes + "}");
	}

	private void control(String... arguments) throws Exception {
		List<String> command = new ArrayList<>(List.of("rabbitmqctl"));
		command.addAll(List.of(arguments));
		ExecResult result = this.container.execInContainer(command.toArray(String[]::new));
		assertThat(result.getExitCode()).as(result.getStderr()).isZero();
	}

	/**
	 * Returns the number of consumers of a partition. Asks again if the listing fails: it
	 * does when another connection is closed while the broker lists.
	 */
	long consumers(String prefix, int partition) {
		ExecResult result = await().until(this::listConsumers, (listed) -> listed.getExitCode() == 0);
		String stream = prefix + "." + partition;
		return result.getStdout().lines().filter((line) -> line.replace("\"", "").strip().equals(stream)).count();
	}

	private ExecResult listConsumers() throws IOException, InterruptedException {
		return this.container.execInContainer("rabbitmqctl", "--silent", "--formatter=csv", "list_stream_consumers",
				"stream");
	}

	private void call(BiConsumer<DockerClient, String> command) {
		command.accept(this.container.getDockerClient(), this.container.getContainerId());
	}

}
