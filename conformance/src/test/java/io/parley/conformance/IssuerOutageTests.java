package io.parley.conformance;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StillDatabase;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.TestIssuer;
import io.parley.server.testing.TestIssuer.Answer;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Neither the key server nor the database answers, while users of the issuer chat. */
@UnlimitedServer
@Import(StillDatabase.class)
@TestPropertySource(properties = "chat.database.timeout=2s")
@Tag("exhaustive")
class IssuerOutageTests {

	private static final int INVENTED = 10_000;

	private static final TestIssuer ISSUER = TestIssuer.start();

	private final ChatServer server;

	private final StillDatabase database;

	IssuerOutageTests(ChatServer server, StillDatabase database) {
		this.server = server;
		this.database = database;
	}

	@DynamicPropertySource
	static void issuer(DynamicPropertyRegistry registry) {
		for (String setting : ISSUER.settings(0)) {
			registry.add(setting.split("=", 2)[0], () -> setting.split("=", 2)[1]);
		}
	}

	@AfterEach
	void resume() {
		this.database.resume();
		ISSUER.answer(Answer.KEYS);
	}

	@AfterAll
	static void stop() {
		ISSUER.close();
	}

	private ChatApi with(String token) {
		return new ChatApi(this.server, "external", token);
	}

	@Test
	void inventedKeysHoldUpNobody() throws Exception {
		String valid = ISSUER.token("honest");
		// The server may not have noticed yet that the database responds again.
		await().until(() -> with(valid).get("/api/me").status() == 200);
		ISSUER.answer(Answer.NOTHING);
		int before = ISSUER.fetches();
		long start = System.nanoTime();
		AtomicInteger next = new AtomicInteger();
		try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
			List<Future<?>> floods = IntStream.range(0, 16).<Future<?>>mapToObj((thread) -> threads.submit(() -> {
				while (next.getAndIncrement() < INVENTED) {
					String token = invented();
					assertThat(with(token).get("/api/me").expect(503).code()).isEqualTo("issuer-unavailable");
				}
			})).toList();
			int connects = 0;
			while (floods.stream().anyMatch((flood) -> !flood.isDone())) {
				try (StompConnection session = StompConnection.open(this.server).connect(ISSUER.token("honest"))) {
					assertThat(session.isClosed()).isFalse();
					connects++;
				}
			}
			for (Future<?> flood : floods) {
				flood.get();
			}
			assertThat(connects).isGreaterThan(10);
		}
		long seconds = (System.nanoTime() - start) / 1_000_000_000;
		assertThat(ISSUER.fetches() - before).isLessThanOrEqualTo((int) (1 + seconds / 30));
	}

	/** Nobody looks at the signature while the key is not known. */
	private static String invented() {
		String header = "{\"alg\":\"RS256\",\"kid\":\"" + UUID.randomUUID() + "\"}";
		return Stream.of(header, "{\"iss\":\"" + ISSUER.name() + "\"}", "no signature")
			.map((part) -> Base64.getUrlEncoder()
				.withoutPadding()
				.encodeToString(part.getBytes(StandardCharsets.UTF_8)))
			.collect(Collectors.joining("."));
	}

	@Test
	void knownUsersGoOnWithoutTheDatabase() {
		String known = ISSUER.token("known");
		with(known).get("/api/me").expect(200);
		this.database.stall();
		try (StompConnection session = StompConnection.open(this.server).connect(ISSUER.token("known"))) {
			assertThat(session.isClosed()).isFalse();
		}
		with(known).get("/api/me").expect(200);
		assertThat(with(ISSUER.token("unknown")).get("/api/me").expect(503).code()).isEqualTo("store-unavailable");
		assertThat(with(known).post("/api/auth/logout", Map.of()).expect(503).code()).isEqualTo("store-unavailable");
		this.database.resume();
	}

}
