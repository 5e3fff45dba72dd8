package io.parley.loadtest.study.server;

import java.time.Duration;

import io.parley.loadtest.study.server.ProcessUsage.Use;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;

class ProcessUsageTests {

	@Test
	@EnabledOnOs(OS.LINUX)
	void seesWhatAProcessTakes() {
		long from = System.nanoTime();
		try (ProcessUsage watch = ProcessUsage.of(ProcessHandle.current().pid());
				ProcessUsage machine = ProcessUsage.ofMachine()) {
			Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
				Use use = watch.between(from, System.nanoTime());
				assertThat(use.cores()).isPositive();
				assertThat(use.maxCores()).isGreaterThanOrEqualTo(use.cores() * 0.99);
				assertThat(use.residentKb()).isGreaterThan(10_000);
				assertThat(machine.between(from, System.nanoTime()).cores()).isPositive()
					.isLessThan(1.1 * Runtime.getRuntime().availableProcessors());
			});
			assertThat(watch.between(0, 1)).as("nothing was seen then").isEqualTo(new Use(0, 0, 0));
		}
	}

}
