package io.parley.loadtest.report;

import java.util.List;

import io.parley.loadtest.report.RunReport.Fact;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EnvironmentTests {

	@Test
	void namesMachineJvmAndLimits() {
		assertThat(Environment.facts()).extracting(Fact::name)
			.contains("processor", "cores", "memory", "kernel", "JDK", "generator heap", "open files");
	}

	@Test
	void keepsPathsOfTheMachineToItself() {
		assertThat(Environment.flags(List.of("-Xmx1g", "-Dparley.home=/home/me", "-XX:+UseZGC", "-Xlog:gc:/var/gc.log",
				"-javaagent:/opt/agent.jar", "--enable-native-access=ALL-UNNAMED")))
			.isEqualTo("-Xmx1g -XX:+UseZGC --enable-native-access=ALL-UNNAMED");
		assertThat(Environment.facts()).extracting(Fact::value)
			.noneMatch((value) -> value.contains(System.getProperty("user.dir")));
	}

}
