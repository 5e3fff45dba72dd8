package io.parley.notification.provider;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parley.fakefcm.Behaviour;
import io.parley.fakefcm.FakeFcm;
import io.parley.fakefcm.FakeFcmOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** Tests connections, limits and failures of requests to FCM. */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(60)
@Tag("slow")
class FcmPushProviderTests {

	@TempDir
	private Path directory;

	private final FakeFcm fcm = FakeFcm.start(FakeFcmOptions.defaults().withLatency(Duration.ofMillis(50)));

	@AfterEach
	void close() {
		this.fcm.close();
	}

	@Test
	void sendsABatchOfFiveHundredOverFewConnectionsOfHttp2() {
		try (FcmPushProvider provider = FcmSetup.provider(this.fcm, this.directory)) {
			List<PushAnswer> answers = provider.push(FcmSetup.messages(500));
			assertThat(answers).hasSize(500).allMatch((answer) -> answer.kind() == PushAnswer.Kind.SENT);
			assertThat(this.fcm.counts().distinctTokens()).isEqualTo(500);
			assertThat(this.fcm.counts().duplicates()).isZero();
			assertThat(this.fcm.counts().connections()).isBetween(1L, 2L);
			assertThat(this.fcm.counts().mostStreams()).isGreaterThan(10);
			assertThat(this.fcm.requests()).allMatch((request) -> request.httpVersion().equals("HTTP/2.0"));
		}
	}

	@Test
	void refusesMoreThanABatch() {
		try (FcmPushProvider provider = FcmSetup.provider(this.fcm, this.directory)) {
			assertThatThrownBy(() -> provider.push(FcmSetup.messages(501)))
				.isInstanceOf(IllegalArgumentException.class);
			assertThatThrownBy(() -> provider.push(List.of())).isInstanceOf(IllegalArgumentException.class);
		}
	}

	@Test
	void limitsTheRequestsInFlightAcrossCallers() {
		try (FcmPushProvider provider = FcmSetup.provider(this.fcm, this.directory, "concurrency=7")) {
			CompletableFuture<?> other = CompletableFuture.runAsync(() -> provider.push(FcmSetup.messages(40)));
			provider.push(FcmSetup.messages(40));
			other.join();
			assertThat(this.fcm.counts().mostAtOnce()).isEqualTo(7);
		}
	}

	@Test
	void limitsTheRequestsPerSecond() {
		try (FcmPushProvider provider = FcmSetup.provider(this.fcm, this.directory, "per-second=50")) {
			long begin = System.nanoTime();
			provider.push(FcmSetup.messages(100));
			assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(950));
		}
	}

	@Test
	void timesOutAHungRequestAndClosesItsConnection() {
		this.fcm.behave("token-0", Behaviour.Kind.HANG);
		try (FcmPushProvider provider = FcmSetup.provider(this.fcm, this.directory, "read-timeout=3s")) {
			assertThat(provider.push(FcmSetup.messages(1))).containsExactly(PushAnswer.retry("timeout", null));
			assertThat(this.fcm.counts().delivered()).isZero();
			assertThat(provider.push(FcmSetup.messages(3))).extracting(PushAnswer::kind)
				.containsExactly(PushAnswer.Kind.RETRY, PushAnswer.Kind.SENT, PushAnswer.Kind.SENT);
			assertThat(this.fcm.counts().connections()).isGreaterThan(1);
			assertThat(this.fcm.requests("token-0")).isEqualTo(2);
		}
	}

	/** The connection is busy all the time, so only a deadline per request helps. */
	@Test
	void timesOutOneHungRequestAmongMany() {
		this.fcm.behave("hung", Behaviour.Kind.HANG);
		try (FcmPushProvider provider = FcmSetup.provider(this.fcm, this.directory, "read-timeout=2s")) {
			CompletableFuture<List<PushAnswer>> hung = CompletableFuture
				.supplyAsync(() -> provider.push(List.of(FcmSetup.message("hung"))));
			await().until(() -> this.fcm.requests("hung") == 1);
			while (!hung.isDone()) {
				assertThat(provider.push(FcmSetup.messages(5)))
					.allMatch((answer) -> answer.kind() == PushAnswer.Kind.SENT);
			}
			assertThat(hung.join()).containsExactly(PushAnswer.retry("timeout", null));
			assertThat(this.fcm.counts().connections()).isOne();
		}
	}

	/**
	 * One request hangs until its deadline while nothing else is answered, and a request
	 * sent later is answered after that. The order depends on timing, so the test repeats
	 * until it occurs.
	 */
	@Test
	void acceptsAnswersOnAConnectionThatIsBeingClosed() {
		this.fcm.behave("hung", Behaviour.Kind.HANG);
		this.fcm.latency(Duration.ofMillis(1_500));
		Executor later = CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);
		await().until(() -> {
			try (FcmPushProvider provider = FcmSetup.provider(this.fcm, this.directory, "read-timeout=2s")) {
				CompletableFuture<List<PushAnswer>> slow = CompletableFuture
					.supplyAsync(() -> provider.push(List.of(FcmSetup.message("slow"))), later);
				provider.push(List.of(FcmSetup.message("hung")));
				return !slow.isDone() && slow.join().getFirst().kind() == PushAnswer.Kind.SENT;
			}
		});
	}

	@Test
	void recoversFromAnOutageOfTheServer() {
		int port = Integer.parseInt(this.fcm.endpoint().replaceAll(".*:", ""));
		int control = Integer.parseInt(this.fcm.control().replaceAll(".*:", ""));
		try (FcmPushProvider provider = FcmSetup.provider(this.fcm, this.directory)) {
			provider.push(FcmSetup.messages(1));
			this.fcm.close();
			// A request that is sent before the client notices the end of the connection
			// times out.
			assertThat(provider.push(FcmSetup.messages(2)))
				.allMatch((answer) -> answer.kind() == PushAnswer.Kind.RETRY);
			try (FakeFcm back = FakeFcm.start(FakeFcmOptions.defaults().withPorts(port, control))) {
				await().until(() -> provider.push(FcmSetup.messages(1)).getFirst().kind() == PushAnswer.Kind.SENT);
			}
		}
	}

	@Test
	void sendsNothingWithoutAnAccessToken(CapturedOutput output) {
		this.fcm.refuseTokens(true);
		try (FcmPushProvider provider = FcmSetup.provider(this.fcm, this.directory)) {
			assertThat(provider.push(FcmSetup.messages(3))).hasSize(3)
				.allMatch((answer) -> answer.equals(PushAnswer.retry("credentials", null)));
			provider.push(FcmSetup.messages(3));
			assertThat(this.fcm.counts().requests()).isZero();
			assertThat(output.getOut().split("No access token for FCM", -1)).hasSize(2);
			this.fcm.refuseTokens(false);
			assertThat(provider.push(FcmSetup.messages(1)).getFirst().kind()).isEqualTo(PushAnswer.Kind.SENT);
		}
	}

	@Test
	void deliversNothingInADryRun() {
		try (FcmPushProvider provider = FcmSetup.provider(this.fcm, this.directory, "dry-run=true")) {
			assertThat(provider.push(FcmSetup.messages(1)).getFirst().kind()).isEqualTo(PushAnswer.Kind.SENT);
			assertThat(this.fcm.requests()).singleElement().matches((request) -> request.dryRun());
		}
	}

	@Test
	void refusesTheCertificateWithoutTheBundle() {
		FcmProperties properties = FcmSetup.properties(this.fcm, this.directory, "ssl-bundle=");
		try (FcmPushProvider provider = FcmPushProvider.create(properties, FcmSetup.bundles(this.fcm, this.directory),
				new SimpleMeterRegistry())) {
			assertThat(provider.push(FcmSetup.messages(1)).getFirst().kind()).isEqualTo(PushAnswer.Kind.RETRY);
			assertThat(this.fcm.counts().requests()).isZero();
		}
	}

	@Test
	void endsItsThreadsWhenItIsClosed() {
		FcmPushProvider provider = FcmSetup.provider(this.fcm, this.directory);
		provider.push(FcmSetup.messages(10));
		assertThat(threads()).isNotEmpty();
		provider.close();
		await().untilAsserted(() -> assertThat(threads()).isEmpty());
		assertThat(provider.push(FcmSetup.messages(1))).containsExactly(PushAnswer.retry("closed", null));
	}

	private static List<String> threads() {
		Set<Thread> all = Thread.getAllStackTraces().keySet();
		return all.stream().map(Thread::getName).filter((name) -> name.startsWith("fcm-")).toList();
	}

}
