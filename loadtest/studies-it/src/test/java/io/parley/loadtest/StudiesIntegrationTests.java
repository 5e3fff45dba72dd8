package io.parley.loadtest;

import java.nio.file.Path;

import io.parley.loadtest.LoadKit.Run;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs each study once at its smallest size, and checks that it starts, verifies and
 * ends.
 */
@Tag("exhaustive")
class StudiesIntegrationTests {

	@TempDir
	Path folder;

	@Test
	void modesRelaysThroughABrokerThatItStarted() throws Exception {
		Run run = LoadKit.run(this.folder, "modes", "--only", "relay/artemis/per-session", "--sessions", "6", "--rooms",
				"2", "--rates", "10", "--warmup", "1s", "--hold", "1s");
		assertThat(run.exitCode()).as(run.output()).isZero();
		assertThat(run.output()).contains("10 sent, 10 accepted, 30 delivered")
			.contains("PASSED: modes, nothing was lost, doubled or out of order.")
			.containsPattern("relay/artemis/per-session +30 ");
	}

	@Test
	@Tag("exhaustive")
	void peersMeasuresParleyWithoutOtherServers() throws Exception {
		Run run = LoadKit.run(this.folder, "peers", "--only", "parley/bus,nats", "--nats", "/no/such/server",
				"--sessions", "12", "--rooms", "2", "--rates", "10", "--warmup", "1s", "--hold", "2s");
		assertThat(run.exitCode()).as(run.output()).isZero();
		assertThat(run.output()).contains("Not run: there is no program /no/such/server: install Go")
			.contains("PASSED: peers, nothing was lost, doubled or out of order;"
					+ " nats/core, nats/jetstream, nats/jetstream-fsync not run: ")
			.containsPattern("parley/bus +60 ");
	}

	@Test
	@Tag("exhaustive")
	void separationComparesTwoDesignsWithTheSameFcm() throws Exception {
		Run run = LoadKit.run(this.folder, "separation", "--rooms", "2", "--online", "2", "--away", "2", "--rates", "4",
				"--warmup", "0s", "--hold", "1s", "--fcm-latency", "20");
		assertThat(run.exitCode()).as(run.output()).isZero();
		assertThat(run.output()).contains("inline keeps up with 4 messages/s")
			.contains("log and workers with 4 (not tried higher), 4 of 4 devices got a push")
			.as("inline: four messages for two devices each")
			.containsPattern("inline +4 .* yes +8");
	}

	@Test
	@Tag("exhaustive")
	void pipelineAccountsForEachMessage() throws Exception {
		Run run = LoadKit.run(this.folder, "pipeline", "--messages", "1000", "--window", "50", "--pairs", "0");
		assertThat(run.exitCode()).as(run.output()).isZero();
		assertThat(run.output()).contains("PASSED: pipeline, sent = accepted = stored = delivered")
			.containsPattern("1 sender, 1 receiver, 1,000 messages +1,000 +1,000 +1,000 +1,000 +0 +0 +0 +0");
	}

	@Test
	@Tag("exhaustive")
	void transportsComparesParleyWithRmiAndJmsAndLosesNothing() throws Exception {
		Run run = LoadKit.run(this.folder, "transports", "--only", "rmi,jms,bus", "--scale", "0.02", "--experiments",
				"capacity,broadcast");
		assertThat(run.exitCode()).as(run.output()).isZero();
		assertThat(run.output()).contains("Parley bus")
			.containsPattern("of [1-9][0-9,]* deliveries of Parley nothing was missing, doubled or out of order");
	}

	@Test
	@Tag("exhaustive")
	void contentionLetsNoMoreIntoARoomThanItHolds() throws Exception {
		Run run = LoadKit.run(this.folder, "contention", "--only", "parley", "--users", "8", "--places", "3", "--runs",
				"3", "--dropped", "1");
		assertThat(run.exitCode()).as(run.output()).isZero();
		assertThat(run.output()).contains("3 joined, 5 full, 0 errors")
			.contains("in 24 requests capacity was never exceeded and no join was lost");
	}

	@Test
	@Tag("exhaustive")
	void poolingReadsTheHistoryWithoutAPool() throws Exception {
		Run run = LoadKit.run(this.folder, "pooling", "--users", "3", "--duration", "1s", "--warmup", "0s",
				"--messages", "5", "--limit", "3", "--only-without");
		assertThat(run.exitCode()).as(run.output()).isZero();
		assertThat(run.output()).containsPattern("without pool, +3 users:")
			.containsPattern("[1-9][0-9,]* answers were correct, 0 were not");
	}

}
