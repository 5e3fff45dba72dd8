package io.parley.system;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Users of a real provider of OpenID Connect chat on the packaged server. */
@Tag("exhaustive")
class OutsideIssuerIntegrationTests {

	private static final OutsideIssuer issuer = start();

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess(issuer.settings());

	/** A user may have 20 sessions. */
	private static final int LIVE = 10;

	private final HttpClient http = HttpClient.newHttpClient();

	private static OutsideIssuer start() {
		try {
			return new OutsideIssuer();
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@AfterAll
	static void stop() {
		issuer.close();
	}

	private int status(String token) throws IOException, InterruptedException {
		return this.http
			.send(HttpRequest.newBuilder(URI.create(server.url() + "/api/me"))
				.header("Authorization", "Bearer " + token)
				.build(), BodyHandlers.ofString())
			.statusCode();
	}

	/**
	 * The provider restarts with another key under the same id while users connect. Who
	 * is connected stays. Tokens of the old key are accepted until the server has read
	 * the new one, and tokens of the new key from then on.
	 */
	@Test
	void usersGoOnWhileTheKeyIsReplaced() throws Exception {
		List<StompClient> live = new ArrayList<>();
		AtomicBoolean over = new AtomicBoolean();
		String before = issuer.signIn("17", "anna");
		Load load = new Load(before, over);
		ExecutorService thread = Executors.newSingleThreadExecutor();
		try {
			for (int i = 0; i < LIVE; i++) {
				live.add(StompClient.connect(server.url(), before, (frame) -> {
				}));
			}
			Future<?> running = thread.submit(load);
			await().until(() -> load.connects.get() > 20);
			assertThat(load.refusals).hasValue(0);
			issuer.replaceKey();
			String after = issuer.signIn("17", "anna");
			await().atMost(Duration.ofSeconds(60)).until(() -> status(after) == 200);
			assertThat(status(before)).isEqualTo(401);
			int connects = load.connects.get();
			await().until(() -> load.connects.get() > connects + 20);
			assertThat(live).allMatch(StompClient::isOpen);
			over.set(true);
			running.get();
		}
		finally {
			over.set(true);
			live.forEach(StompClient::close);
			thread.close();
		}
	}

	/** Connects all the time, and signs in again when a token is refused. */
	private static final class Load implements Runnable {

		private final AtomicInteger connects = new AtomicInteger();

		private final AtomicInteger refusals = new AtomicInteger();

		private final AtomicBoolean over;

		private String token;

		Load(String token, AtomicBoolean over) {
			this.token = token;
			this.over = over;
		}

		@Override
		public void run() {
			while (!this.over.get()) {
				try (StompClient client = StompClient.connect(server.url(), this.token, (frame) -> {
				})) {
					assertThat(client.isOpen()).isTrue();
					this.connects.incrementAndGet();
				}
				catch (IOException ex) {
					this.refusals.incrementAndGet();
					signInAgain();
				}
			}
		}

		private void signInAgain() {
			try {
				this.token = issuer.signIn("17", "anna");
			}
			catch (IOException | InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
