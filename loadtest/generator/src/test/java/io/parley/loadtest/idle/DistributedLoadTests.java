package io.parley.loadtest.idle;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.parley.loadtest.Console;
import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.stomp.Fault;
import io.parley.loadtest.stomp.StompResponder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whole runs of two generator processes, against a correct or a faulty server.
 */
@EnabledOnOs(OS.LINUX)
@Tag("slow")
class DistributedLoadTests {

	@RegisterExtension
	private final Console console = new Console();

	private final Set<ProcessHandle> before = ProcessHandle.current().children().collect(Collectors.toSet());

	@AfterEach
	void leavesNoProcessBehind() {
		Interrupt.listen();
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> generators().isEmpty());
	}

	@Test
	void addsUpWhatTheProcessesMeasured() {
		try (StompResponder server = new StompResponder(Fault.NONE)) {
			assertThat(idle(server, "--hold", "1s", "--warmup", "0.5s", "--source", "127.0.0.2,127.0.0.3"))
				.as(this.console.output())
				.isZero();
			assertThat(this.console.output()).contains("PASSED: idle, 40 sessions of 4 users in 2 rooms")
				.contains("40 of 40")
				.contains("50 sent, 50 accepted, 1,000 delivered")
				.contains("0 lost, 0 duplicate, 0 out of order, 0 gaps")
				.containsPattern("delivered \\(SEND to each MESSAGE\\) .* 1,000\\R")
				.containsPattern("whole session .* 40\\R")
				.containsPattern("2 generators +heap");
			assertThat(server.sources).containsExactlyInAnyOrder("127.0.0.2", "127.0.0.3");
		}
	}

	@Test
	@Tag("exhaustive")
	void failsWhenAMessageIsLostInOneOfThem() {
		try (StompResponder server = new StompResponder(Fault.LOSE)) {
			assertThat(idle(server, "--hold", "0.5s", "--drain", "10s")).isEqualTo(1);
			assertThat(this.console.output()).contains("FAILED: idle")
				.contains("2 lost, 0 duplicate, 0 out of order, 2 gaps");
		}
	}

	@Test
	@Tag("exhaustive")
	void failsWithASentenceWhenAProcessIsKilled() throws Exception {
		try (StompResponder server = new StompResponder(Fault.NONE)) {
			CompletableFuture<Integer> run = CompletableFuture.supplyAsync(() -> idle(server, "--hold", "10m"));
			Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> server.sends.get() > 5);
			assertThat(generators()).hasSize(2).first().satisfies(ProcessHandle::destroyForcibly);
			assertThat(run.get(60, TimeUnit.SECONDS)).isEqualTo(1);
			assertThat(this.console.output()).contains("FAILED: idle")
				.containsPattern("generator [12] ended with exit code 137 and printed: nothing")
				.contains("0 of 40")
				.contains("Report: ");
		}
	}

	@Test
	@Tag("exhaustive")
	void endsEarlyWithAReportWhenInterrupted() throws Exception {
		try (StompResponder server = new StompResponder(Fault.NONE)) {
			CompletableFuture<Integer> run = CompletableFuture.supplyAsync(() -> idle(server, "--hold", "10m"));
			Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> server.sends.get() > 5);
			Interrupt.request();
			assertThat(run.get(60, TimeUnit.SECONDS)).isEqualTo(1);
			assertThat(this.console.output()).contains("INTERRUPTED: idle")
				.containsPattern("delivered \\(SEND to each MESSAGE\\) .*\\d")
				.contains("40 of 40")
				.contains("Interrupted, so not passed");
		}
	}

	private int idle(StompResponder server, String... more) {
		String[] fixed = { "idle", "--processes", "2", "--sessions", "40", "--rooms", "2", "--connect-rate", "400",
				"--rate", "50" };
		return this.console.run(server.url(), Console.join(fixed, more));
	}

	/**
	 * Returns the processes that this JVM has started in the meantime.
	 */
	private List<ProcessHandle> generators() {
		return ProcessHandle.current().children().filter((child) -> !this.before.contains(child)).toList();
	}

}
