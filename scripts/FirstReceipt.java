import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Measures how long a newcomer waits: "java scripts/FirstReceipt.java [--url http://127.0.0.1:8080] COMMAND...". Runs the
 * command, signs in as alice as soon as that works, sends a message in the first room, prints the seconds from the start of the command to
 * the RECEIPT, and ends the command. A command that exits, like "./chat up", may leave the system running. Examples:
 *
 *   java scripts/FirstReceipt.java ./chat run
 *   java scripts/FirstReceipt.java docker run --rm --init -p 127.0.0.1:8080:8080 -e CHAT_DEMO_PUBLISHEDADDRESS=127.0.0.1 parley
 *   java scripts/FirstReceipt.java sh -c 'git clone -q . /tmp/parley-clone && cd /tmp/parley-clone && exec ./chat run'
 */

static final Duration LIMIT = Duration.ofHours(1);

static final HttpClient HTTP = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

void main(String[] arguments) throws Exception {
	List<String> command = List.of(arguments);
	String url = "http://127.0.0.1:8080";
	if (command.size() > 1 && command.getFirst().equals("--url")) {
		url = command.get(1);
		command = command.subList(2, command.size());
	}
	if (command.isEmpty()) {
		throw new IllegalArgumentException("Name the command that starts the server, such as ./chat run");
	}
	if (answers(url)) {
		throw new IllegalStateException("A server is already running at " + url);
	}
	long start = System.nanoTime();
	Process process = new ProcessBuilder(command).inheritIO().start();
	Runtime.getRuntime().addShutdownHook(new Thread(() -> end(process)));
	while (!answers(url)) {
		if ((!process.isAlive() && process.exitValue() != 0) || seconds(start) > LIMIT.toSeconds()) {
			throw new IllegalStateException("The server did not start");
		}
		Thread.sleep(50);
	}
	String token = ChatCalls.login(url, "alice");
	String room = ChatCalls.id(ChatCalls.send(url, "/api/rooms", "", token));
	receipt(url, token, room).get(60, TimeUnit.SECONDS);
	System.out.printf("first RECEIPT after %.1f s%n", seconds(start));
}

double seconds(long start) {
	return (System.nanoTime() - start) / 1e9;
}

void end(Process process) {
	process.descendants().forEach(ProcessHandle::destroy);
	process.destroy();
	process.onExit().join();
}

boolean answers(String url) throws InterruptedException {
	try {
		return HTTP.send(HttpRequest.newBuilder(URI.create(url + "/readyz")).timeout(Duration.ofSeconds(5)).build(), BodyHandlers.discarding())
			.statusCode() == 200;
	}
	catch (IOException ex) {
		return false;
	}
}

CompletableFuture<Void> receipt(String url, String token, String room) {
	CompletableFuture<Void> received = new CompletableFuture<>();
	StringBuilder text = new StringBuilder();
	WebSocket socket = HTTP.newWebSocketBuilder()
		.buildAsync(URI.create(url.replaceFirst("^http", "ws") + "/ws"), new WebSocket.Listener() {
			@Override
			public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
				text.append(data);
				if (text.indexOf("receipt-id:first") >= 0) {
					received.complete(null);
				}
				else if (text.indexOf("ERROR") >= 0) {
					received.completeExceptionally(new IllegalStateException(text.toString()));
				}
				socket.request(1);
				return null;
			}
		})
		.join();
	socket.sendText("CONNECT\naccept-version:1.2\nhost:x\npasscode:" + token + "\n\n\0", true).join();
	socket.sendText("SEND\ndestination:/app/rooms." + room + ".send\nreceipt:first\n\n{\"clientId\":\""
			+ System.nanoTime() + "\",\"text\":\"Hello\"}\0", true).join();
	return received;
}
