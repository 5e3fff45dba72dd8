package io.parley.conformance;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.parley.log.FreePorts;
import io.parley.log.SigningKey;
import io.parley.packaged.PackagedServer;
import io.parley.server.testing.ChatServer;
import org.jspecify.annotations.Nullable;

import static org.awaitility.Awaitility.await;

/**
 * The packaged server as a process of its own, which can be killed and started again on
 * the same data.
 */
final class ServerProcess implements AutoCloseable {

	private final Path directory;

	private final int port = FreePorts.next();

	private final int managementPort = FreePorts.next();

	private final ChatServer server = ChatServer.at(this.port);

	private @Nullable Process process;

	ServerProcess(Path directory) {
		this.directory = directory;
	}

	/** Starts the server and waits until it is ready. */
	void start() throws IOException {
		SigningKey.writeTo(this.directory.resolve("data/keys"));
		List<String> command = new ArrayList<>(PackagedServer.get()
			.command(List.of("-Xmx512m", "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1",
					"-XX:+UseSerialGC")));
		command.addAll(List.of("--spring.profiles.active=demo", "--server.port=" + this.port,
				"--management.server.port=" + this.managementPort, "--chat.limits.sends-per-second=0",
				"--chat.limits.reactions-per-second=0", "--chat.history.replay=1000000"));
		Process started = new ProcessBuilder(command).directory(this.directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(this.directory.resolve("output.txt").toFile()))
			.start();
		this.process = started;
		// An aborted test run leaves no server behind.
		Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
		await().atMost(Duration.ofMinutes(3))
			.failFast("the server ended while it started", () -> !started.isAlive())
			.ignoreExceptions()
			.until(() -> this.server.anonymous().get("/readyz").status() == 200);
	}

	/** Sends SIGKILL, and waits for the end. */
	void kill() throws InterruptedException {
		if (this.process != null) {
			this.process.destroyForcibly().waitFor();
		}
	}

	ChatServer server() {
		return this.server;
	}

	@Override
	public void close() throws InterruptedException {
		kill();
	}

}
