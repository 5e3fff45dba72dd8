package io.parley.server.hook;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parley.events.MessageEdited;
import io.parley.events.MessagePosted;
import io.parley.server.error.ChatException;
import io.parley.server.hook.HookProperties.OnFailure;
import io.parley.server.settings.ImpossibleSettingsException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A hook that allows, refuses, is slow, away, or answers nonsense. */
@ExtendWith(OutputCaptureExtension.class)
class MessageHookTests {

	/** For answers that come. */
	private static final Duration DEADLINE = Duration.ofSeconds(30);

	/** For answers that do not come. */
	private static final Duration SHORT_DEADLINE = Duration.ofMillis(300);

	private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final BlockingQueue<Request> requests = new LinkedBlockingQueue<>();

	private final CountDownLatch over = new CountDownLatch(1);

	private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

	private final List<AutoCloseable> closed = new ArrayList<>();

	private HttpServer program;

	private record Request(Headers headers, byte[] body) {

		JsonNode json() {
			return JsonMapper.shared().readTree(this.body);
		}

	}

	/** Writes an answer, or does something else. */
	private interface Answer {

		void write(com.sun.net.httpserver.HttpExchange exchange) throws Exception;

	}

	@BeforeEach
	void start() throws IOException {
		this.program = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.program.setExecutor(this.threads);
		this.program.start();
	}

	@AfterEach
	void stop() throws Exception {
		this.over.countDown();
		for (AutoCloseable one : this.closed) {
			one.close();
		}
		this.program.stop(0);
		this.threads.shutdownNow();
	}

	private String url() {
		return "http://127.0.0.1:" + this.program.getAddress().getPort() + "/check?token=hidden";
	}

	private void answers(Answer answer) {
		this.program.createContext("/check", (exchange) -> {
			this.requests.add(new Request(exchange.getRequestHeaders(), exchange.getRequestBody().readAllBytes()));
			try (exchange) {
				answer.write(exchange);
			}
			catch (IOException ex) {
				throw ex;
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		});
	}

	private void answers(int status, String body) {
		answers((exchange) -> {
			byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
			exchange.sendResponseHeaders(status, (bytes.length > 0) ? bytes.length : -1);
			exchange.getResponseBody().write(bytes);
		});
	}

	private MessageHook hook(OnFailure onFailure) {
		return hook(url(), onFailure, null, 64);
	}

	private MessageHook hook(@Nullable String url, OnFailure onFailure, @Nullable String secret, int maxConcurrent) {
		return hook(url, DEADLINE, onFailure, secret, maxConcurrent);
	}

	private MessageHook hook(@Nullable String url, Duration deadline, OnFailure onFailure, @Nullable String secret,
			int maxConcurrent) {
		MessageHook hook = new MessageHook(new HookProperties(url, deadline, onFailure, secret, maxConcurrent),
				this.meters);
		this.closed.add(hook::close);
		return hook;
	}

	private static MessagePosted message(String text) {
		return new MessagePosted("room", "id-1", "anna", "c1", Instant.parse("2026-01-01T00:00:00Z"), text,
				Map.of("own", "0.10"));
	}

	private long count(String outcome) {
		Timer timer = this.meters.find("chat.messages.hook").tag("outcome", outcome).timer();
		return (timer != null) ? timer.count() : -1;
	}

	private void expectFailure(String outcome) {
		expectFailure(outcome, DEADLINE);
	}

	private void expectTimeout() {
		expectFailure("timeout", SHORT_DEADLINE);
	}

	private void expectFailure(String outcome, Duration deadline) {
		hook(url(), deadline, OnFailure.ACCEPT, null, 64).check(message("t"));
		assertThat(count(outcome)).isEqualTo(1);
		MessageHook refusing = hook(url(), deadline, OnFailure.REFUSE, null, 64);
		assertThatThrownBy(() -> refusing.check(message("t"))).isInstanceOfSatisfying(ChatException.class,
				(refused) -> assertThat(refused.errorCode().code()).isEqualTo("check-unavailable"));
		assertThat(count(outcome)).isEqualTo(2);
	}

	@Test
	void allowsAndShowsTheEventAsClientsWillGetIt() throws Exception {
		answers(200, "{\"allow\":true,\"later\":1}");
		hook(OnFailure.REFUSE).check(message("say \"ü👍\""));
		Request request = this.requests.take();
		JsonNode json = request.json();
		assertThat(json.path("type").asString()).isEqualTo("message.check");
		assertThat(json.path("data").path("type").asString()).isEqualTo("message.posted");
		assertThat(json.path("data").path("room").asString()).isEqualTo("room");
		assertThat(json.path("data").path("sender").asString()).isEqualTo("anna");
		assertThat(json.path("data").path("text").asString()).isEqualTo("say \"ü👍\"");
		assertThat(new String(request.body(), StandardCharsets.UTF_8)).contains("\"own\":0.10")
			.doesNotContain("position", "prev");
		assertThat(request.headers()).doesNotContainKey("Webhook-signature").doesNotContainKey("Upgrade");
		assertThat(request.headers().getFirst("Content-Type")).isEqualTo("application/json");
		assertThat(count("allowed")).isEqualTo(1);
	}

	@Test
	void showsTheTargetOfAnEdit() throws Exception {
		answers(200, "{\"allow\":true}");
		hook(OnFailure.REFUSE).check(
				new MessageEdited("room", "id-2", "anna", "c2", Instant.parse("2026-01-01T00:00:00Z"), 77, "new", 0));
		JsonNode data = this.requests.take().json().path("data");
		assertThat(data.path("type").asString()).isEqualTo("message.edited");
		assertThat(data.path("target").asLong()).isEqualTo(77);
		assertThat(data.path("text").asString()).isEqualTo("new");
	}

	@Test
	void signsLikeStandardWebhooks() throws Exception {
		// The example of the specification.
		assertThat(new HookSignature(SECRET).of("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330,
				"{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8)))
			.isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
		answers(200, "{\"allow\":true}");
		hook(url(), OnFailure.REFUSE, SECRET, 64).check(message("t"));
		Request request = this.requests.take();
		long time = Long.parseLong(request.headers().getFirst("webhook-timestamp"));
		assertThat(Instant.ofEpochSecond(time)).isBetween(Instant.now().minusSeconds(60), Instant.now().plusSeconds(1));
		assertThat(request.headers().getFirst("webhook-id")).isEqualTo("id-1");
		assertThat(request.headers().getFirst("webhook-signature"))
			.isEqualTo(new HookSignature(SECRET).of("id-1", time, request.body()));
	}

	@Test
	void refusesWithTheReasonInOneLine() {
		answers(200, JsonMapper.shared()
			.writeValueAsString(Map.of("allow", false, "reason", " Not\r\n\u0000here\u202e " + "x".repeat(1_000))));
		assertThatThrownBy(() -> hook(OnFailure.ACCEPT).check(message("t"))).isInstanceOfSatisfying(ChatException.class,
				(refused) -> {
					assertThat(refused.errorCode().code()).isEqualTo("message-refused");
					assertThat(refused.reason()).startsWith("Not here x").hasSize(201);
				});
		assertThat(count("refused")).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"allow\":false}", "{\"allow\":false,\"reason\":null}", "{\"allow\":false,\"reason\":7}",
			"{\"allow\":false,\"reason\":\"\\n\"}" })
	void refusesWithoutAReason(String answer) {
		answers(200, answer);
		assertThatThrownBy(() -> hook(OnFailure.ACCEPT).check(message("t"))).isInstanceOfSatisfying(ChatException.class,
				(refused) -> assertThat(refused.reason()).isEqualTo("The message was refused."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "null", "true", "[]", "{}", "{\"allow\":\"false\"}", "{\"allow\":0}",
			"{\"allow\":true", "{\"allow\":true} x", "<html>", "\u0000" })
	void anotherAnswerIsNone(String answer) {
		answers(200, answer);
		expectFailure("bad-answer");
	}

	@ParameterizedTest
	@ValueSource(ints = { 201, 204, 400, 401, 404, 429, 500, 503 })
	void anotherStatusIsNoAnswer(int status) {
		answers(status, (status == 204) ? "" : "{\"allow\":true}");
		expectFailure("bad-answer");
	}

	@ParameterizedTest
	@ValueSource(ints = { 301, 302, 303, 307, 308 })
	void followsNoRedirect(int status) {
		AtomicInteger followed = new AtomicInteger();
		this.program.createContext("/elsewhere", (exchange) -> {
			followed.incrementAndGet();
			exchange.sendResponseHeaders(200, -1);
			exchange.close();
		});
		answers((exchange) -> {
			exchange.getResponseHeaders().set("Location", "/elsewhere");
			exchange.sendResponseHeaders(status, -1);
		});
		expectFailure("bad-answer");
		assertThat(followed).hasValue(0);
	}

	@Test
	void readsALimitedAnswer() {
		AtomicInteger written = new AtomicInteger();
		answers((exchange) -> {
			exchange.sendResponseHeaders(200, 0);
			OutputStream body = exchange.getResponseBody();
			for (int i = 0; i < 100_000; i++) {
				body.write(new byte[10_000]);
				written.incrementAndGet();
			}
		});
		expectFailure("unavailable");
		assertThat(written.get()).isLessThan(50_000);
	}

	@Test
	void doesNotWaitForASlowAnswer() {
		answers((exchange) -> this.over.await());
		expectTimeout();
	}

	@Test
	void doesNotWaitForTheEndOfASlowBody() {
		answers((exchange) -> {
			exchange.sendResponseHeaders(200, 0);
			exchange.getResponseBody().write('{');
			exchange.getResponseBody().flush();
			this.over.await();
		});
		expectTimeout();
	}

	/** The program closes the connection of the first call when the second one comes. */
	@Test
	void repeatsACallWhoseConnectionWasClosed() throws Exception {
		ServerSocket program = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
		this.closed.add(program);
		String answer = "HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\n{\"allow\":true}";
		AtomicInteger answered = new AtomicInteger();
		this.threads.submit(() -> {
			while (true) {
				try (Socket socket = program.accept()) {
					read(socket);
					// Before the answer, after which the test looks at the number.
					answered.incrementAndGet();
					socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
					read(socket);
				}
			}
		});
		MessageHook hook = hook("http://127.0.0.1:" + program.getLocalPort() + "/", OnFailure.REFUSE, null, 64);
		for (int i = 0; i < 3; i++) {
			hook.check(message("t"));
		}
		assertThat(count("allowed")).isEqualTo(3);
		assertThat(answered).hasValue(3);
	}

	/** Reads a request, or to the end. */
	private static void read(Socket socket) throws IOException {
		StringBuilder request = new StringBuilder();
		while (request.indexOf("}}") < 0) {
			int next = socket.getInputStream().read();
			if (next < 0) {
				return;
			}
			request.append((char) next);
		}
	}

	@Test
	void isAway() {
		this.program.stop(0);
		expectFailure("unavailable");
	}

	@Test
	void doesNotWaitForASocketThatIsSilent() throws IOException {
		ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
		this.closed.add(silent);
		String url = "http://127.0.0.1:" + silent.getLocalPort() + "/";
		hook(url, SHORT_DEADLINE, OnFailure.ACCEPT, null, 64).check(message("t"));
		assertThat(count("timeout")).isEqualTo(1);
	}

	@Test
	void makesALimitedNumberOfCallsAtOnce() throws Exception {
		AtomicInteger running = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		answers((exchange) -> {
			most.accumulateAndGet(running.incrementAndGet(), Math::max);
			this.over.await(200, TimeUnit.MILLISECONDS);
			running.decrementAndGet();
			byte[] body = "{\"allow\":true}".getBytes(StandardCharsets.UTF_8);
			exchange.sendResponseHeaders(200, body.length);
			exchange.getResponseBody().write(body);
		});
		// In a second, two calls at once can do about ten of the twenty checks.
		Duration deadline = Duration.ofSeconds(1);
		MessageHook hook = new MessageHook(new HookProperties(url(), deadline, OnFailure.ACCEPT, null, 2), this.meters);
		this.closed.add(hook::close);
		List<Future<?>> checks = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			checks.add(this.threads.submit(() -> hook.check(message("t"))));
		}
		long start = System.nanoTime();
		for (Future<?> check : checks) {
			check.get();
		}
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(deadline.plusSeconds(10));
		// A call that ends at its deadline may still be running in the program.
		assertThat(most.get()).isBetween(1, 4);
		assertThat(count("allowed") + count("busy") + count("timeout")).isEqualTo(20);
		assertThat(count("busy") + count("timeout")).isPositive();
	}

	@Test
	void logsFailuresAtMostEveryTenSecondsAndNoQuery(CapturedOutput output) {
		answers(500, "");
		MessageHook hook = hook(OnFailure.ACCEPT);
		for (int i = 0; i < 50; i++) {
			hook.check(message("secret text"));
		}
		assertThat(output.getAll().lines().filter((line) -> line.contains("without an answer of the hook"))).hasSize(1)
			.allMatch((line) -> line.contains("1 messages were accepted") && line.contains("status 500"));
		assertThat(output.getAll()).doesNotContain("token=hidden").doesNotContain("secret text");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " " })
	void doesNothingWithoutAnAddress(String url) {
		MessageHook hook = hook(url, OnFailure.REFUSE, "no secret", 1);
		assertThat(hook.isOn()).isFalse();
		hook.check(message("t"));
		assertThat(this.meters.getMeters()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "hook.example.org", "ftp://hook.example.org", "file:///etc/passwd", "http://", "http:///x",
			"http://user:password@hook.example.org/", "http://hook.example.org/#x", "http://a b/" })
	void refusesAnotherAddress(String url) {
		assertThatThrownBy(() -> hook(url, OnFailure.REFUSE, null, 1)).isInstanceOf(ImpossibleSettingsException.class)
			.hasMessageContaining("chat.messages.hook.url")
			.hasMessageNotContaining("password@");
	}

	@ParameterizedTest
	@ValueSource(strings = { "short", "whsec_", "whsec_####", "whsec_c2hvcnQ=" })
	void refusesAnotherSecret(String secret) {
		assertThatThrownBy(() -> hook(url(), OnFailure.REFUSE, secret, 1))
			.isInstanceOf(ImpossibleSettingsException.class)
			.hasMessageContaining("openssl rand");
		hook(url(), OnFailure.REFUSE, "whsec_" + Base64.getEncoder().encodeToString(new byte[64]), 1);
	}

}
