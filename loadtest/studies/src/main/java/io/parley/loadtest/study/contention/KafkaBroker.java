package io.parley.loadtest.study.contention;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

import io.parley.loadtest.local.KitProcess;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;

/**
 * A Kafka broker in this JVM, including the controller.
 */
final class KafkaBroker implements AutoCloseable {

	private final String address = "127.0.0.1:" + KitProcess.freePort();

	private final KafkaRaftServer server;

	KafkaBroker(Path folder) throws IOException {
		String controller = "127.0.0.1:" + KitProcess.freePort();
		Properties properties = new Properties();
		properties.putAll(Map.ofEntries(Map.entry("process.roles", "broker,controller"), Map.entry("node.id", "1"),
				Map.entry("controller.quorum.voters", "1@" + controller),
				Map.entry("listeners", "PLAINTEXT://" + this.address + ",CONTROLLER://" + controller),
				Map.entry("advertised.listeners", "PLAINTEXT://" + this.address),
				Map.entry("controller.listener.names", "CONTROLLER"),
				Map.entry("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT"),
				Map.entry("log.dirs", folder.resolve("kafka").toString()),
				Map.entry("offsets.topic.replication.factor", "1"), Map.entry("offsets.topic.num.partitions", "1")));
		Path file = folder.resolve("kafka.properties");
		try (OutputStream output = Files.newOutputStream(file)) {
			properties.store(output, null);
		}
		int code = StorageTool.execute(
				new String[] { "format", "--cluster-id", Uuid.randomUuid().toString(), "--config", file.toString() },
				new PrintStream(OutputStream.nullOutputStream()));
		if (code != 0) {
			throw new IOException("Kafka could not format its folder");
		}
		this.server = new KafkaRaftServer(KafkaConfig.fromProps(properties), Time.SYSTEM);
		this.server.startup();
	}

	String address() {
		return this.address;
	}

	@Override
	public void close() {
		this.server.shutdown();
		this.server.awaitShutdown();
	}

}
