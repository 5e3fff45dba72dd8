package io.parley.server.issuer;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.RSAKey;
import io.parley.server.testing.TestClock;
import io.parley.server.testing.TestIssuer;
import io.parley.server.testing.TestIssuer.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** A key server that is slow, wrong, away, or changes its keys. */
class RemoteKeysTests {

	/** To generate a key takes seconds of processor time. */
	private static final RSAKey KEY = TestIssuer.newKey("first");

	private final TestIssuer issuer = TestIssuer.start(KEY);

	private final TestClock clock = new TestClock();

	private final HttpClient client = HttpClient.newHttpClient();

	private final RemoteKeys keys = new RemoteKeys("issuer", this.issuer.keys(), this.client, this.clock);

	@AfterEach
	void close() {
		this.issuer.close();
		this.client.shutdownNow();
	}

	private List<JWK> find(String kid) throws KeysUnavailableException {
		return this.keys.get(
				new JWKSelector(JWKMatcher.forJWSHeader(new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(kid).build())),
				null);
	}

	private String current() {
		return this.issuer.key().getKeyID();
	}

	private void fetch() throws KeysUnavailableException {
		assertThat(find(current())).hasSize(1);
	}

	private void interval() {
		this.clock.forward(RemoteKeys.INTERVAL.plusSeconds(1));
	}

	@Test
	void fetchesOnceForManyTokens() throws Exception {
		for (int i = 0; i < 1_000; i++) {
			fetch();
		}
		assertThat(this.issuer.fetches()).isEqualTo(1);
	}

	@Test
	void publishesNoPrivateKeys() throws Exception {
		assertThat(find(current())).noneMatch(JWK::isPrivate);
	}

	@Test
	void tenThousandInventedKeysCauseOneFetchInThirtySeconds() throws Exception {
		fetch();
		AtomicInteger refused = new AtomicInteger();
		for (int round = 1; round <= 3; round++) {
			interval();
			try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
				for (int i = 0; i < 10_000; i++) {
					threads.submit(() -> {
						try {
							assertThat(find(UUID.randomUUID().toString())).isEmpty();
						}
						catch (KeysUnavailableException ex) {
							assertThat(ex.retryAfter()).isBetween(Duration.ZERO, RemoteKeys.INTERVAL);
						}
						return refused.incrementAndGet();
					});
				}
			}
			fetch();
			assertThat(this.issuer.fetches()).isEqualTo(1 + round);
			assertThat(refused.get()).isEqualTo(10_000 * round);
		}
	}

	@Test
	void aKnownKeyIsFoundWhileAnotherOneIsWaitedFor() throws Exception {
		fetch();
		this.issuer.answer(Answer.NOTHING);
		interval();
		CompletableFuture<?> stranger = CompletableFuture
			.runAsync(() -> assertThatThrownBy(() -> find("invented")).isInstanceOf(KeysUnavailableException.class));
		await().until(() -> this.issuer.fetches() == 2);
		fetch();
		assertThat(stranger).isNotDone();
		stranger.join();
	}

	@Test
	void findsANewKeyOnceItMayAskAgain() throws Exception {
		fetch();
		this.issuer.rotate();
		assertThatThrownBy(this::fetch).isInstanceOf(KeysUnavailableException.class);
		interval();
		fetch();
	}

	@Test
	void aKeyThatWasRemovedIsNotFoundAfterFiveMinutes() throws Exception {
		fetch();
		String removed = current();
		this.issuer.rotate();
		this.keys.refresh();
		assertThat(this.issuer.fetches()).isEqualTo(1);
		this.clock.forward(RemoteKeys.REFRESH);
		this.keys.refresh();
		await().until(() -> find(current()).size() == 1);
		assertThatThrownBy(() -> find(removed)).isInstanceOf(KeysUnavailableException.class);
		interval();
		assertThat(find(removed)).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(names = "KEYS", mode = EnumSource.Mode.EXCLUDE)
	void aBrokenKeyServerIsNoReasonToSignInAgain(Answer broken) throws Exception {
		this.issuer.answer(broken);
		assertThatThrownBy(() -> find(current())).isInstanceOf(KeysUnavailableException.class);
		assertThat(this.issuer.fetches()).isEqualTo(1);
		this.issuer.answer(Answer.KEYS);
		assertThatThrownBy(() -> find(current())).isInstanceOf(KeysUnavailableException.class);
		interval();
		fetch();
	}

	@ParameterizedTest
	@EnumSource(names = "KEYS", mode = EnumSource.Mode.EXCLUDE)
	void knownKeysOutliveABrokenKeyServerForHours(Answer broken) throws Exception {
		fetch();
		this.issuer.answer(broken);
		for (int part = 0; part < 3; part++) {
			this.clock.forward(RemoteKeys.OUTAGE.dividedBy(4));
			int before = this.issuer.fetches();
			this.keys.refresh();
			int expected = before + 1;
			await().until(() -> this.issuer.fetches() == expected);
			fetch();
			assertThatThrownBy(() -> find("invented")).isInstanceOf(KeysUnavailableException.class);
		}
		this.clock.forward(RemoteKeys.OUTAGE.dividedBy(4).plusSeconds(1));
		assertThatThrownBy(() -> find(current())).isInstanceOf(KeysUnavailableException.class);
	}

	@Test
	void aKeyServerThatIsAwayIsAskedAgain() throws Exception {
		String kid = current();
		fetch();
		this.issuer.close();
		interval();
		assertThatThrownBy(() -> find("invented")).isInstanceOf(KeysUnavailableException.class);
		assertThat(find(kid)).hasSize(1);
	}

}
