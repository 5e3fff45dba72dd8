package io.parley.system.attack;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

import io.parley.system.ChatApi;
import io.parley.system.ChatServerProcess;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A packaged server with a heap of 512 MB for all tests of a class. Two honest users chat
 * during each test. After each test this class checks that the server is alive, that
 * their chat is complete and that no attacker has received any of it, and prints the
 * latency of their messages.
 */
final class AttackedServer implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {

	private final ChatServerProcess process;

	private final ChatApi api;

	private final Loot loot = new Loot();

	private final Map<String, String> tokens = new ConcurrentHashMap<>();

	private final Collection<AutoCloseable> open = new ConcurrentLinkedQueue<>();

	private final AtomicInteger addresses = new AtomicInteger();

	private @Nullable HonestChat honest;

	private String honestRoom = "";

	/**
	 * Creates a server for the tests of a class.
	 * @param arguments settings of the server in addition to those of {@code ./chat run}
	 */
	AttackedServer(String... arguments) {
		List<String> options = new ArrayList<>(
				List.of("-Xmx512m", "-XX:+ExitOnOutOfMemoryError", "--enable-native-access=ALL-UNNAMED"));
		if (!Boolean.getBoolean("parley.test.full-size")) {
			options.add("-XX:TieredStopAtLevel=1");
		}
		this.process = new ChatServerProcess(arguments).withJvmOptions(options.toArray(String[]::new));
		this.api = new ChatApi(this.process.url());
	}

	@Override
	public void beforeAll(ExtensionContext context) throws Exception {
		this.process.beforeAll(context);
		this.honestRoom = room("anna", "bert");
	}

	@Override
	public void beforeEach(ExtensionContext context) throws Exception {
		this.honest = HonestChat.start(url(), this.honestRoom, List.of(token("anna"), token("bert")));
	}

	@Override
	public void afterEach(ExtensionContext context) throws Exception {
		try {
			if (context.getExecutionException().isEmpty()) {
				check(context.getRequiredTestClass().getSimpleName() + "." + context.getRequiredTestMethod().getName());
			}
			this.process.afterEach(context);
		}
		catch (Throwable ex) {
			this.process.fail();
			throw ex;
		}
		finally {
			honest().close();
			for (AutoCloseable each : this.open) {
				each.close();
			}
			this.open.clear();
		}
	}

	private void check(String test) throws Exception {
		honest().awaitMore();
		assertThat(this.process.process().isAlive()).as("the server lives").isTrue();
		String times = honest().finish();
		assertThat(this.loot.leaks()).as("data of others that attackers received").isEmpty();
		assertThat(this.process.output()).doesNotContain("OutOfMemoryError");
		assertThat(this.process.output().lines().filter((line) -> line.contains(" ERROR "))).as("errors in the log")
			.isEmpty();
		System.out.println("ATTACK " + test + ": " + times);
	}

	@Override
	public void afterAll(ExtensionContext context) throws Exception {
		this.process.afterAll(context);
	}

	URI url() {
		return this.process.url();
	}

	URI managementUrl() {
		return this.process.managementUrl();
	}

	Path directory() {
		return this.process.directory();
	}

	HonestChat honest() {
		return Objects.requireNonNull(this.honest);
	}

	/** Returns the room of the honest users. */
	String honestRoom() {
		return this.honestRoom;
	}

	/** Returns the whole history of the honest users' room, read by one of them. */
	List<JsonNode> honestHistory() {
		return this.api.history(token("anna"), this.honestRoom);
	}

	/** Returns an unused address of this machine. */
	String stranger() {
		int number = this.addresses.incrementAndGet();
		return "127." + (10 + number / 62_500) + "." + (number / 250 % 250) + "." + (1 + number % 250);
	}

	static String password(String user) {
		return "the secret of user " + user;
	}

	/** Returns the access token of a user, who is registered on the first call. */
	String token(String user) {
		return this.tokens.computeIfAbsent(user, (name) -> json(signedIn(name)).path("accessToken").asString());
	}

	private RawHttp.Answer signedIn(String user) {
		String account = "{\"username\":\"" + user + "\",\"password\":\"" + password(user) + "\"}";
		assertThat(call(stranger(), "POST", "/api/auth/register", null, account).status()).isEqualTo(201);
		return call(stranger(), "POST", "/api/auth/login", null, account);
	}

	/**
	 * Creates a group with these users and returns its id; the first user is the creator.
	 */
	String room(String... users) {
		List.of(users).forEach(this::token);
		return this.api.createRoom(token(users[0]), "A room", List.of(users).subList(1, users.length));
	}

	/** Sends one request on a new connection. */
	RawHttp.Answer call(String from, String method, String path, @Nullable String token, @Nullable String body,
			String... headers) {
		try (RawHttp http = http(from)) {
			http.send(RawHttp.request(method, path, token, body, headers));
			return http.answer();
		}
		catch (IOException ex) {
			throw new AssertionError(method + " " + path, ex);
		}
	}

	/** Returns the JSON of an answer, which must be a success. */
	static JsonNode json(RawHttp.Answer answer) {
		assertThat(answer.status()).as("%s", answer).isBetween(200, 299);
		String body = answer.body();
		return ChatApi.JSON.readTree(body.substring(Math.max(0, body.indexOf('{')), body.lastIndexOf('}') + 1));
	}

	RawHttp http(String from) {
		return closeLater(RawHttp.connect(url(), from, this.loot, 0));
	}

	/** Opens a connection with a small receive buffer. */
	RawHttp narrowHttp(String from) {
		return closeLater(RawHttp.connect(url(), from, this.loot, 4_096));
	}

	/** Opens a WebSocket. */
	RawStomp socket(String from, String... headers) {
		return closeLater(RawStomp.open(url(), from, this.loot, 0, headers));
	}

	/** Opens a WebSocket with a small receive buffer that reads nothing yet. */
	RawStomp narrowSocket(String from) {
		return closeLater(RawStomp.open(url(), from, this.loot, 4_096));
	}

	/** Opens a session of a user with the user's events, from a new address. */
	RawStomp session(String user) {
		RawStomp session = socket(stranger()).readOn().connect(token(user));
		session.await("CONNECTED", (frame) -> frame.startsWith("CONNECTED"));
		session.frame("SUBSCRIBE", "", "id:me", "destination:/user/queue/events", "receipt:events");
		session.awaitContaining("receipt-id:events");
		return session;
	}

	private <T extends AutoCloseable> T closeLater(T resource) {
		this.open.add(resource);
		return resource;
	}

	/** Runs the tasks concurrently and waits for all. */
	static <T> List<T> atOnce(int count, IntFunction<T> task) throws InterruptedException {
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			List<Future<T>> running = new ArrayList<>();
			for (int i = 0; i < count; i++) {
				int number = i;
				running.add(threads.submit(() -> task.apply(number)));
			}
			List<T> results = new ArrayList<>();
			for (Future<T> each : running) {
				results.add(each.get());
			}
			return results;
		}
		catch (ExecutionException ex) {
			throw new AssertionError(ex.getCause());
		}
	}

}
