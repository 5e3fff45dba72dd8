import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/*
 * Prepares quick starts of the chat-server: unpacks its jar and makes an AOT cache, which contains what the JVM learned while
 * a server started and users chatted.
 *
 *   java scripts/QuickStart.java <jar> <directory> <seconds> [<option of the JVM>...]
 *
 * A jar with its libraries beside it, in lib, is unpacked already: it is used where it is. Otherwise, later starts use
 * <directory>/app/chat-server.jar, with -XX:AOTCache=<directory>/app.aot and the same options. The server that
 * learns has free ports and data of its own, which are removed, and gets no settings from the environment. With 0 seconds nobody
 * chats: the cache then makes the start quick, but not the first messages. Does nothing if another process prepares the same
 * directory.
 */

static final Duration PATIENCE = Duration.ofMinutes(4);

static final Duration PAUSE = Duration.ofMillis(100);

/** Options that the cache and its users have in common. Others could change what the server does. */
static final Pattern OPTION = Pattern.compile(
		"-Xm[nsx]\\w+|-XX:[+-]Use\\w+|-XX:(NewRatio|MaxTenuringThreshold|TieredStopAtLevel)=\\d+|--enable-native-access=\\S+");

/** All other variables are removed: with those of a real server the server that learns would use its database. */
static final Set<String> VARIABLES = Set.of("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR");

/** The limit of sessions of one user is 20. */
static final int SESSIONS_PER_USER = 15;

static final int MESSAGES = 40;

void main(String[] arguments) throws Exception {
	var directory = Files.createDirectories(Path.of(arguments[1])).toAbsolutePath();
	try (var file = FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
			var lock = file.tryLock()) {
		if (lock != null) {
			prepare(Path.of(arguments[0]), directory, Duration.ofSeconds(Long.parseLong(arguments[2])),
					List.of(arguments).subList(3, arguments.length));
		}
	}
}

void prepare(Path jar, Path directory, Duration load, List<String> options) throws Exception {
	var cache = directory.resolve("app.aot");
	var unfinished = directory.resolve("unfinished.aot");
	var work = directory.resolve("training");
	var app = directory.resolve("app");
	Files.deleteIfExists(cache);
	delete(work);
	delete(app);
	var unpacked = jar.toAbsolutePath();
	if (!Files.isDirectory(unpacked.resolveSibling("lib"))) {
		unpacked = app.resolve("chat-server.jar");
		var unpack = new ProcessBuilder(java(), "-Djarmode=tools", "-jar", jar.toString(), "extract", "--destination", app.toString())
			.inheritIO()
			.start();
		require(unpack.waitFor() == 0, "The server cannot be unpacked");
	}
	Files.createDirectory(work);
	var port = freePort();
	var command = new ArrayList<>(List.of(java()));
	options.stream().filter(OPTION.asMatchPredicate()).forEach(command::add);
	command.addAll(List.of("-XX:AOTCacheOutput=" + unfinished, "-jar", unpacked.toString(),
			"--spring.profiles.active=demo", "--server.address=127.0.0.1", "--server.port=" + port,
			"--management.server.address=127.0.0.1", "--management.server.port=" + freePort(),
			"--chat.limits.sends-per-second=0"));
	var builder = new ProcessBuilder(command).directory(work.toFile())
		.redirectErrorStream(true)
		.redirectOutput(directory.resolve("training.log").toFile());
	builder.environment().keySet().retainAll(VARIABLES);
	var process = builder.start();
	var end = new Thread(process::destroyForcibly);
	Runtime.getRuntime().addShutdownHook(end);
	try {
		new Training(process, port).run(load);
	}
	finally {
		process.destroyForcibly().waitFor();
		Runtime.getRuntime().removeShutdownHook(end);
	}
	Files.move(unfinished, cache, StandardCopyOption.ATOMIC_MOVE);
	delete(work);
}

/** Users of the demo, who chat with a server until their time ends. */
static final class Training {

	static final Pattern TOKEN = Pattern.compile("\"accessToken\":\"([^\"]+)\"");

	static final Pattern ROOM = Pattern.compile("\\{\"id\":\"([^\"]+)\",\"name\":\"Lobby\"");

	final HttpClient http = HttpClient.newHttpClient();

	final Process process;

	final int port;

	Training(Process process, int port) {
		this.process = process;
		this.port = port;
	}

	void run(Duration load) throws Exception {
		var patience = System.nanoTime() + PATIENCE.toNanos();
		while (!isReady()) {
			require(this.process.isAlive() && System.nanoTime() < patience, "The server does not become ready");
			Thread.sleep(PAUSE);
		}
		var tokens = new ArrayList<String>();
		for (var user : List.of("alice", "bob", "carol")) {
			tokens.add(find(TOKEN, ask(post("/api/auth/login", "{\"username\":\"%s\",\"password\":\"demo\"}".formatted(user)))));
		}
		var room = find(ROOM, ask(get("/api/rooms", tokens.getFirst())));
		var end = System.nanoTime() + load.toNanos();
		for (var round = 0; System.nanoTime() < end; round++) {
			chat(tokens, room, round);
			for (var token : tokens) {
				ask(get("/api/rooms", token));
				ask(get("/api/rooms/" + room + "/messages?limit=50", token));
			}
		}
		this.process.destroy();
		// The JVM writes the cache after the end of the program.
		require(this.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), "The server does not end");
	}

	/** Everybody connects, reads what was missed, sends messages, receives all of them, and leaves. */
	void chat(List<String> tokens, String room, int round) throws Exception {
		var clients = new ArrayList<Client>();
		try {
			for (var session = 0; session < SESSIONS_PER_USER; session++) {
				for (var token : tokens) {
					clients.add(Client.connect(this.http, this.port, token));
				}
			}
			for (var client : clients) {
				client.send("SUBSCRIBE\nid:events\ndestination:/user/queue/events\n\n");
				client.send("SUBSCRIBE\nid:room\ndestination:/topic/rooms.%s\nafter:0\nreceipt:joined\n\n".formatted(room));
			}
			await(clients, (client) -> client.joined);
			for (var message = 0; message < MESSAGES; message++) {
				var sender = clients.get(message % clients.size());
				sender.send("SEND\ndestination:/app/rooms.%s.typing\n\n{}".formatted(room));
				sender.send("SEND\ndestination:/app/rooms.%s.send\nreceipt:m%d\n\n{\"clientId\":\"%d-%d\",\"text\":\"Message %d\"}"
					.formatted(room, message, round, message, message));
			}
			await(clients, (client) -> client.received);
		}
		finally {
			clients.forEach((client) -> client.socket.abort());
		}
	}

	void await(List<Client> clients, java.util.function.Function<Client, CountDownLatch> event) throws Exception {
		for (var client : clients) {
			require(event.apply(client).await(PATIENCE.toSeconds(), TimeUnit.SECONDS), "The server does not answer");
		}
	}

	boolean isReady() throws InterruptedException {
		try {
			return this.http.send(request("/readyz").build(), BodyHandlers.discarding()).statusCode() == 200;
		}
		catch (IOException ex) {
			return false;
		}
	}

	String ask(HttpRequest request) throws IOException, InterruptedException {
		var response = this.http.send(request, BodyHandlers.ofString());
		require(response.statusCode() == 200, request.uri() + " returned " + response.statusCode() + " " + response.body());
		return response.body();
	}

	HttpRequest post(String path, String body) {
		return request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body)).build();
	}

	HttpRequest get(String path, String token) {
		return request(path).header("Authorization", "Bearer " + token).build();
	}

	HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + this.port + path)).timeout(PATIENCE);
	}

	static String find(Pattern pattern, String text) throws IOException {
		var matcher = pattern.matcher(text);
		require(matcher.find(), "Not found in " + text + ": " + pattern);
		return matcher.group(1);
	}

}

/** A session that counts what it receives. */
static final class Client implements WebSocket.Listener {

	final CompletableFuture<Void> connected = new CompletableFuture<>();

	final CountDownLatch joined = new CountDownLatch(1);

	final CountDownLatch received = new CountDownLatch(MESSAGES);

	final StringBuilder frame = new StringBuilder();

	WebSocket socket;

	static Client connect(HttpClient http, int port, String token) {
		var client = new Client();
		client.socket = http.newWebSocketBuilder()
			.subprotocols("v12.stomp")
			.buildAsync(URI.create("ws://127.0.0.1:" + port + "/ws"), client)
			.join();
		client.send("CONNECT\naccept-version:1.2\nhost:localhost\nheart-beat:0,0\nAuthorization:Bearer " + token + "\n\n");
		client.connected.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
		return client;
	}

	void send(String frame) {
		this.socket.sendText(frame + '\0', true).join();
	}

	@Override
	public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
		this.frame.append(data);
		if (last) {
			take(this.frame.toString());
			this.frame.setLength(0);
		}
		socket.request(1);
		return null;
	}

	/** A WebSocket message may contain several frames. */
	void take(String frames) {
		for (var frame : frames.split("\0")) {
			if (frame.startsWith("CONNECTED")) {
				this.connected.complete(null);
			}
			else if (frame.startsWith("RECEIPT") && frame.contains("receipt-id:joined")) {
				this.joined.countDown();
			}
			else if (frame.contains("subscription:room\n") && frame.contains("\"message.posted\"") && this.joined.getCount() == 0) {
				this.received.countDown();
			}
			else if (frame.startsWith("ERROR")) {
				onError(this.socket, new IOException(frame));
			}
		}
	}

	@Override
	public void onError(WebSocket socket, Throwable error) {
		this.connected.completeExceptionally(new CompletionException(error));
	}

}

static String java() {
	return Path.of(System.getProperty("java.home"), "bin", "java").toString();
}

static int freePort() throws IOException {
	try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
		return socket.getLocalPort();
	}
}

static void require(boolean condition, String problem) throws IOException {
	if (!condition) {
		throw new IOException(problem);
	}
}

static void delete(Path directory) throws IOException {
	if (Files.exists(directory)) {
		try (var files = Files.walk(directory)) {
			for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
				Files.delete(file);
			}
		}
	}
}
