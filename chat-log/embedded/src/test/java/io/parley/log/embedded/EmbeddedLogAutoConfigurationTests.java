package io.parley.log.embedded;

import java.nio.file.Path;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parley.log.RoomLog;
import io.parley.log.config.RoomLogAutoConfiguration;
import io.parley.log.health.LogMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static io.parley.log.LogReading.append;
import static org.assertj.core.api.Assertions.assertThat;

class EmbeddedLogAutoConfigurationTests {

	private static final AutoConfigurations CONFIGURATIONS = AutoConfigurations.of(EmbeddedLogAutoConfiguration.class,
			RoomLogAutoConfiguration.class);

	@TempDir
	private Path directory;

	private ApplicationContextRunner runner() {
		return new ApplicationContextRunner().withConfiguration(CONFIGURATIONS)
			.withPropertyValues("chat.log.embedded.directory=" + this.directory);
	}

	@Test
	void isAnAutoConfiguration() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, null))
			.contains(EmbeddedLogAutoConfiguration.class.getName());
	}

	@Test
	void opensAnEmbeddedLogAndClosesItWithTheContext() {
		runner().run((context) -> {
			RoomLog log = context.getBean(RoomLog.class);
			assertThat(log).isInstanceOf(EmbeddedRoomLog.class);
			assertThat(log.partitions()).isEqualTo(8);
			append(log, 7, "a");
		});
		runner().run((context) -> assertThat(context.getBean(RoomLog.class).endOffset(7)).isEqualTo(1));
	}

	@Test
	void measuresTheLog() {
		runner().withBean(SimpleMeterRegistry.class).run((context) -> {
			MeterRegistry meters = context.getBean(MeterRegistry.class);
			context.getBean(LogMetrics.class).bindTo(meters);
			assertThat(meters.get("chat.log.trouble").gauge().value()).isZero();
			assertThat(meters.get("chat.log.partitions.at.risk").gauge().value()).isZero();
			assertThat(meters.get("chat.log.removed.unread").functionCounter().count()).isZero();
			context.getBean(RoomLog.class).close();
			assertThat(meters.get("chat.log.trouble").gauge().value()).isOne();
		});
	}

}
