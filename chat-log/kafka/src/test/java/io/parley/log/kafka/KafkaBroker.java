package io.parley.log.kafka;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;

import io.parley.log.FreePorts;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real broker with its controller in this JVM, for the tests of a class. It keeps its
 * port and its data when it is restarted.
 */
public final class KafkaBroker implements BeforeAllCallback, AfterAllCallback, AutoCloseable {

	private static final String ADDRESS = "127.0.0.1";

	private Path directory;

	private Properties properties;

	private int port;

	private @Nullable KafkaRaftServer server;

	@Override
	public void beforeAll(ExtensionContext context) throws IOException {
		run();
	}

	/** Starts a broker that runs until it is closed. */
	public static KafkaBroker startNew() {
		KafkaBroker broker = new KafkaBroker();
		try {
			broker.run();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return broker;
	}

	void run() throws IOException {
		LoggingSystem logging = LoggingSystem.get(getClass().getClassLoader());
		List.of("org.apache.kafka", "kafka", "state.change.logger")
			.forEach((name) -> logging.setLogLevel(name, LogLevel.ERROR));
		this.directory = Files.createTempDirectory("kafka");
		this.port = FreePorts.next();
		int controllerPort = FreePorts.next();
		this.properties = new Properties();
		this.properties.putAll(Map.ofEntries(Map.entry("process.roles", "broker,controller"), Map.entry("node.id", "1"),
				Map.entry("controller.quorum.voters", "1@" + ADDRESS + ":" + controllerPort),
				Map.entry("listeners", "PLAINTEXT://" + address() + ",CONTROLLER://" + ADDRESS + ":" + controllerPort),
				Map.entry("advertised.listeners", "PLAINTEXT://" + address()),
				Map.entry("controller.listener.names", "CONTROLLER"),
				Map.entry("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT"),
				Map.entry("log.dirs", this.directory.resolve("data").toString()),
				Map.entry("offsets.topic.replication.factor", "1"), Map.entry("offsets.topic.num.partitions", "1"),
				Map.entry("group.initial.rebalance.delay.ms", "0"), Map.entry("auto.create.topics.enable", "false"),
				Map.entry("num.network.threads", "1"), Map.entry("num.io.threads", "2")));
		format();
		start();
	}

	private void format() throws IOException {
		Path file = this.directory.resolve("server.properties");
		try (OutputStream output = Files.newOutputStream(file)) {
			this.properties.store(output, null);
		}
		int code = StorageTool.execute(
				new String[] { "format", "--cluster-id", Uuid.randomUuid().toString(), "--config", file.toString() },
				new PrintStream(OutputStream.nullOutputStream()));
		assertThat(code).isZero();
	}

	/** Starts the broker unless it runs. */
	void start() {
		if (this.server == null) {
			this.server = new KafkaRaftServer(KafkaConfig.fromProps(this.properties), Time.SYSTEM);
			this.server.startup();
		}
	}

	void stop() {
		KafkaRaftServer running = this.server;
		if (running != null) {
			this.server = null;
			running.shutdown();
			running.awaitShutdown();
		}
	}

	@Override
	public void afterAll(ExtensionContext context) {
		close();
	}

	@Override
	public void close() {
		stop();
		FileSystemUtils.deleteRecursively(this.directory.toFile());
	}

	/** Returns {@code host:port} of the broker. */
	public String address() {
		return ADDRESS + ":" + this.port;
	}

	int port() {
		return this.port;
	}

	KafkaLogSettings settings(String topic, int partitions) {
		return settings(address(), topic, partitions);
	}

	static KafkaLogSettings settings(String address, String topic, int partitions) {
		return settings(address, topic, partitions, Duration.ofMillis(1), 1_000_000_000);
	}

	static KafkaLogSettings settings(String address, String topic, int partitions, Duration maxAge, long maxLength) {
		return new KafkaLogSettings(List.of(address), topic, partitions, 1, Map.of(), maxAge, maxLength, 1_048_576,
				Duration.ofSeconds(10), 10_000, Duration.ofMinutes(1));
	}

	/** Opens a connection that the log does not use. */
	Admin admin() {
		return new Clients(settings("none", 1)).admin();
	}

}
