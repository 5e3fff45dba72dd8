package io.parley.loadtest.measure;

import java.net.URI;

import io.parley.loadtest.measure.ServerMeter.Counters;
import io.parley.loadtest.measure.ServerMeter.Growth;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class ServerMeterTests {

	@Test
	void readsOneSample() {
		String text = """
				# HELP chat_db_statements_total Statements
				chat_db_statements_total{by="server"} 1.5E3
				chat_db_statements_total{by="worker"} 7.0
				""";
		assertThat(ServerMeter.value(text, "chat_db_statements_total{by=\"server\"}")).isEqualTo(1500);
		assertThat(ServerMeter.value(text, "chat_db_statements_total{by=\"worker\"}")).isEqualTo(7);
		assertThat(ServerMeter.value(text, "process_cpu_time_ns_total")).isNaN();
	}

	@Test
	void takesAwayWhatTheServerDoesByItself() {
		Growth idle = new Growth(10, 20, 10, 1);
		Growth above = new Growth(5, 110, 4, 2).above(idle);
		assertThat(above.byServer()).isEqualTo(100, within(1e-9));
		assertThat(above.byWorkers()).as("never below 0").isZero();
	}

	@Test
	void knowsNothingOfAServerThatDoesNotAnswer() {
		try (ServerMeter meter = new ServerMeter(URI.create("http://127.0.0.1:1"))) {
			Counters counters = meter.read();
			assertThat(counters.hasStatements()).isFalse();
		}
	}

}
