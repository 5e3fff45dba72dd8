package io.parley.notification;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class ExecutableJarIntegrationTests {

	@Test
	void refusesTheEmbeddedLogBeforeItOpensTheDatabase(@TempDir Path directory) throws Exception {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar",
				Path.of("../target", "notification-worker-exec.jar").toAbsolutePath().toString(),
				"--chat.log.backend=embedded", "--spring.datasource.url=jdbc:mysql://127.0.0.1:1/none",
				"--server.port=0", "--management.server.port=0")
			.directory(directory.toFile())
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
		assertThat(process.exitValue()).isEqualTo(1);
		assertThat(output)
			.contains("The embedded log can't be shared between processes: set chat.log.backend=rabbitmq or kafka")
			.doesNotContain("Hikari", "Flyway", "\tat ");
		assertThat(directory).isEmptyDirectory();
	}

}
