package io.parley.conformance;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.TwoServers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Keys are replaced as docs/security.md says, while clients use both servers. */
@Tag("exhaustive")
class KeyRotationTests {

	private static final String SIGNING = "jwt-private.pem";

	private static final int CLIENTS = 4;

	private static final int ROUNDS_IN_EACH_STATE = 20;

	/** Clients without pauses would need a hundred seconds of processor time. */
	private static final Duration PAUSE = Duration.ofMillis(50);

	/** A user may refresh once a second. */
	private static final Duration REFRESH_INTERVAL = Duration.ofMillis(1_200);

	@TempDir
	private Path directory;

	@Test
	void rotatesWithoutOneRefusal() throws Exception {
		Files.writeString(key(SIGNING), newKey());
		try (TwoServers servers = TwoServers.onBus("chat.security.jwt.private-key=file:" + key(SIGNING),
				"chat.security.jwt.key-directory=" + this.directory, "chat.limits.connects-per-second=0");
				ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			List<ChatServer> both = List.of(servers.one(), servers.two());
			both.getFirst().anonymous().register("keys");
			String before = signingKey(both.getFirst());
			ChatApi early = both.getFirst().user("early");
			AtomicBoolean over = new AtomicBoolean();
			List<Client> clients = new ArrayList<>();
			for (int i = 0; i < CLIENTS; i++) {
				clients.add(Client.start(threads, both, both.get(i % 2).user("client" + i), over));
			}
			try {
				awaitUse(clients);
				// 1. Publish the next key.
				Files.writeString(key("next.pem"), newKey());
				both.forEach((server) -> await().until(() -> published(server).size() == 2));
				awaitUse(clients);
				// 2. Keep the old key, and let the next one sign.
				Files.copy(key(SIGNING), key("old.pem"));
				Files.move(key("next.pem"), key(SIGNING), StandardCopyOption.ATOMIC_MOVE);
				both.forEach((server) -> await().until(() -> !signingKey(server).equals(before)));
				awaitUse(clients);
				assertThat(signingKey(both.get(0))).isEqualTo(signingKey(both.get(1)));
				assertThat(early.get("/api/rooms").status()).isEqualTo(200);
				String old = early.refreshToken();
				early.refresh();
				// 3. Remove the old key. The clients have tokens of the new one.
				Files.delete(key("old.pem"));
				both.forEach((server) -> await().until(() -> published(server).size() == 1));
				awaitUse(clients);
				assertThat(early.get("/api/rooms").expect(401).code()).isEqualTo("unauthorized");
				assertThat(early.refreshWith(old).expect(401).code()).isEqualTo("unauthorized");
				assertThat(early.refresh().get("/api/rooms").status()).isEqualTo(200);
			}
			finally {
				over.set(true);
			}
			for (Client client : clients) {
				client.end().get();
			}
		}
	}

	private Path key(String name) {
		return this.directory.resolve(name);
	}

	private record Client(AtomicInteger rounds, AtomicInteger refreshes, CompletableFuture<Void> end) {

		static Client start(ExecutorService threads, List<ChatServer> both, ChatApi user, AtomicBoolean over) {
			AtomicInteger rounds = new AtomicInteger();
			AtomicInteger refreshes = new AtomicInteger();
			return new Client(rounds, refreshes,
					CompletableFuture.runAsync(() -> use(both, user, rounds, refreshes, over), threads));
		}

		/** Uses tokens in every way, on both servers in turn, and expects no refusal. */
		private static void use(List<ChatServer> both, ChatApi first, AtomicInteger rounds, AtomicInteger refreshes,
				AtomicBoolean over) {
			ChatApi client = first;
			long refreshedAt = System.nanoTime();
			for (int i = 0; !over.get(); i++) {
				if (System.nanoTime() - refreshedAt > REFRESH_INTERVAL.toNanos()) {
					refreshedAt = System.nanoTime();
					client = client.refresh();
					refreshes.incrementAndGet();
				}
				ChatServer other = both.get(i % 2);
				new ChatApi(other, "x", client.token()).get("/api/rooms").expect(200);
				try (StompConnection session = StompConnection.open(other).connect(client.token())) {
					session.confirmed("SEND", Map.of("destination", "/app/token"),
							"{\"accessToken\":\"" + client.token() + "\"}");
				}
				rounds.incrementAndGet();
				LockSupport.parkNanos(PAUSE.toNanos());
			}
		}

		/** Returns whether it has used tokens, and two new ones, since then. */
		boolean goesOn(int roundsThen, int refreshesThen) {
			return this.rounds.get() >= roundsThen + ROUNDS_IN_EACH_STATE && this.refreshes.get() >= refreshesThen + 2;
		}

	}

	/** Waits until each client has used its tokens often, and has got new ones. */
	private static void awaitUse(List<Client> clients) {
		for (Client client : clients) {
			int rounds = client.rounds().get();
			int refreshes = client.refreshes().get();
			await().atMost(Duration.ofSeconds(60))
				.until(() -> client.end().isDone() || client.goesOn(rounds, refreshes));
			assertThat(client.end()).isNotDone();
		}
	}

	private static Set<String> published(ChatServer server) {
		Set<String> ids = new HashSet<>();
		ChatApi.Answer answer = server.anonymous().get("/.well-known/jwks.json").expect(200);
		assertThat(answer.response().headers().firstValue("Cache-Control").orElse("")).contains("max-age=300");
		answer.body().path("keys").forEach((key) -> ids.add(key.path("kid").asString()));
		return ids;
	}

	private static String signingKey(ChatServer server) {
		String header = server.anonymous().login("keys").token().split("\\.")[0];
		return ChatApi.JSON.readTree(Base64.getUrlDecoder().decode(header)).path("kid").asString();
	}

	private static String newKey() throws NoSuchAlgorithmException {
		KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
		generator.initialize(2_048);
		byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
		return "-----BEGIN PRIVATE KEY-----\n" + Base64.getMimeEncoder().encodeToString(key)
				+ "\n-----END PRIVATE KEY-----\n";
	}

}
