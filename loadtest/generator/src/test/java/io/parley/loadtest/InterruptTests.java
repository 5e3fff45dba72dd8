package io.parley.loadtest;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.stomp.Fault;
import io.parley.loadtest.stomp.StompResponder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

class InterruptTests {

	@RegisterExtension
	private final Console console = new Console();

	@AfterEach
	void forget() {
		Interrupt.listen();
	}

	@Test
	void endsARunEarlyWithAReportThatDidNotPass() throws Exception {
		try (StompResponder server = new StompResponder(Fault.NONE)) {
			CompletableFuture<Integer> run = CompletableFuture.supplyAsync(() -> this.console.run(server.url(), "idle",
					"--sessions", "10", "--rooms", "2", "--rate", "50", "--hold", "10m", "--connect-rate", "200"));
			Awaitility.await().until(() -> server.sends.get() > 5);
			Interrupt.request();
			assertThat(run.get(30, TimeUnit.SECONDS)).isEqualTo(1);
			assertThat(this.console.output()).contains("INTERRUPTED: idle")
				.containsPattern("delivered \\(SEND to each MESSAGE\\) .*\\d")
				.contains("10 of 10")
				.contains("Interrupted, so not passed")
				.contains("errors                             0");
		}
	}

	/**
	 * After a failed trial new users are signed up. The interrupt comes in the middle of
	 * that.
	 */
	@Test
	void keepsWhatASearchHasFoundWhenTheNextTrialIsBeingPrepared() {
		try (StompResponder server = new StompResponder(Fault.FULL)) {
			int rooms = 2;
			server.atRoom = Map.of(rooms + 1, Interrupt::request);
			int exit = this.console.run(server.url(), "capacity", "--search", "--from", "45", "--ramp", "50ms",
					"--hold", "0.2s", "--rooms", String.valueOf(rooms));
			assertThat(exit).as(this.console.output()).isEqualTo(1);
			assertThat(this.console.output()).contains("Interrupted, so not passed: 0 sessions held so far.")
				.contains("45 sessions failed")
				.contains("Report:");
		}
	}

}
