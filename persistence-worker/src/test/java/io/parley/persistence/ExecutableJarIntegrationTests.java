package io.parley.persistence;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.parley.store.DockerCondition;
import io.parley.store.MySqlServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the packaged jar. {@link StartTests} covers more start failures. */
class ExecutableJarIntegrationTests {

	@TempDir
	private Path directory;

	@Test
	void refusesTheEmbeddedLogBeforeItOpensTheDatabase() throws Exception {
		assertThat(run("--chat.log.backend=embedded", "--spring.datasource.url=jdbc:mysql://127.0.0.1:1/none"))
			.contains("The embedded log can't be shared between processes: set chat.log.backend=rabbitmq or kafka")
			.doesNotContain("Hikari", "Flyway");
		assertThat(this.directory).isEmptyDirectory();
	}

	@Test
	@ExtendWith(DockerCondition.class)
	void retriesTheBrokerForAWhileAndLogsIt() throws Exception {
		List<String> options = new ArrayList<>(
				List.of("--chat.log.rabbitmq.addresses=127.0.0.1:1", "--chat.log.rabbitmq.start-timeout=5s"));
		Stream.of(MySqlServer.properties("jar")).map((property) -> "--" + property).forEach(options::add);
		assertThat(run(options.toArray(String[]::new))).contains("RabbitMQ at 127.0.0.1:1 can't be used yet",
				"up to 5 s in total", "APPLICATION FAILED TO START",
				"start it with its stream plugin, or correct chat.log.rabbitmq.*");
	}

	/** Runs the worker until it exits and returns its output. */
	private String run(String... options) throws Exception {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-XX:+UseSerialGC", "-jar",
						Path.of("../target", "persistence-worker-exec.jar").toAbsolutePath().toString(),
						"--server.port=0", "--management.server.port=0"));
		command.addAll(List.of(options));
		Process process = new ProcessBuilder(command).directory(this.directory.toFile())
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
		assertThat(process.exitValue()).isEqualTo(1);
		assertThat(output).doesNotContain("\tat ");
		return output;
	}

}
