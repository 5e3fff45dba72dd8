import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;

import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;

/**
 * Prints the classes of Parley through which one message passes: "java scripts/MessagePath.java chat-server.jar [--mode]".
 * Starts the server in broker mode bus with temporary data, traces all its methods with Flight Recorder (JDK 25), sends
 * one message from one session to another, and lists the top-level classes by thread in the order of their first call.
 */

static final HttpClient HTTP = HttpClient.newHttpClient();

Path directory;

void main(String[] arguments) throws Exception {
	Path jar = Path.of(arguments[0]).toAbsolutePath();
	this.directory = Files.createTempDirectory("message-path");
	int port = freePort();
	Process server = start(jar, port, (arguments.length > 1) ? arguments[1] : "bus");
	try {
		String url = "127.0.0.1:" + port;
		awaitReady(url, server);
		trace(url, server.pid());
	}
	finally {
		server.destroy();
		server.waitFor();
		try (var files = Files.walk(this.directory)) {
			files.sorted(java.util.Comparator.reverseOrder()).forEach((file) -> file.toFile().delete());
		}
	}
}

int freePort() throws IOException {
	try (ServerSocket socket = new ServerSocket(0)) {
		return socket.getLocalPort();
	}
}

Process start(Path jar, int port, String mode) throws IOException {
	Path settings = this.directory.resolve("trace.jfc");
	Files.writeString(settings, """
			<?xml version="1.0" encoding="UTF-8"?>
			<configuration version="2.0">
			  <event name="jdk.MethodTrace">
			    <setting name="enabled">true</setting>
			    <setting name="filter">%s</setting>
			    <setting name="threshold">0 ns</setting>
			    <setting name="stackTrace">false</setting>
			  </event>
			</configuration>
			""".formatted(String.join(";", methods(jar))));
	return new ProcessBuilder(java(), "-XX:+UseSerialGC", "-Xmx512m", "--enable-native-access=ALL-UNNAMED", "-jar",
			jar.toString(), "--server.port=" + port, "--management.server.port=" + freePort(),
			"--spring.profiles.active=demo", "--chat.broker.mode=" + mode)
		.directory(this.directory.toFile())
		.redirectErrorStream(true)
		.redirectOutput(Redirect.to(this.directory.resolve("server.log").toFile()))
		.start();
}

String java() {
	return Path.of(System.getProperty("java.home"), "bin", "java").toString();
}

/**
 * Returns the methods of Parley in an executable jar and in its libraries. Records are left out: Flight Recorder
 * breaks their methods. Constructors are left out too.
 */
Set<String> methods(Path jar) throws IOException {
	Set<String> methods = new TreeSet<>();
	try (JarFile file = new JarFile(jar.toFile())) {
		for (var entry : file.stream().toList()) {
			if (entry.getName().startsWith("BOOT-INF/classes/")) {
				addMethods(methods, entry.getName().substring("BOOT-INF/classes/".length()), file.getInputStream(entry));
			}
			else if (entry.getName().startsWith("BOOT-INF/lib/") && entry.getName().endsWith(".jar")) {
				try (JarInputStream library = new JarInputStream(file.getInputStream(entry))) {
					for (var inner = library.getNextEntry(); inner != null; inner = library.getNextEntry()) {
						addMethods(methods, inner.getName(), library);
					}
				}
			}
		}
	}
	return methods;
}

void addMethods(Set<String> methods, String entry, InputStream bytes) throws IOException {
	if (entry.startsWith("io/parley/") && entry.endsWith(".class") && !entry.endsWith("-info.class")) {
		String type = entry.substring(0, entry.length() - ".class".length()).replace('/', '.');
		ClassModel model = ClassFile.of().parse(bytes.readAllBytes());
		if (model.superclass().map(ClassEntry::asInternalName).orElse("").equals("java/lang/Record")) {
			return;
		}
		model.methods()
			.stream()
			.map((method) -> method.methodName().stringValue())
			.filter((name) -> !name.startsWith("<"))
			.forEach((name) -> methods.add(type + "::" + name));
	}
}

void awaitReady(String url, Process server) throws Exception {
	for (int second = 0; second < 120 && server.isAlive(); second++) {
		try {
			if (get("http://" + url + "/readyz") == 200) {
				return;
			}
		}
		catch (IOException ex) {
			// It does not listen yet.
		}
		Thread.sleep(1_000);
	}
	throw new IllegalStateException("The server did not start: "
			+ Files.readString(this.directory.resolve("server.log")));
}

int get(String url) throws Exception {
	return HTTP.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.discarding()).statusCode();
}

/** A STOMP session that keeps what it receives. */
class Session implements WebSocket.Listener {

	final BlockingQueue<String> received = new LinkedBlockingQueue<>();

	final StringBuilder part = new StringBuilder();

	final WebSocket socket;

	Session(String url, String token) throws Exception {
		this.socket = HTTP.newWebSocketBuilder().buildAsync(URI.create("ws://" + url + "/ws"), this).get();
		send("CONNECT\naccept-version:1.2\nhost:x\npasscode:" + token + "\n\n");
		await("CONNECTED");
	}

	void send(String frame) {
		this.socket.sendText(frame + "\0", true).join();
	}

	void await(String content) throws InterruptedException {
		for (String frame = ""; !frame.contains(content);) {
			frame = this.received.poll(60, TimeUnit.SECONDS);
			if (frame == null) {
				throw new IllegalStateException("No frame with " + content);
			}
		}
	}

	@Override
	public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
		this.part.append(data);
		if (last) {
			this.received.add(this.part.toString());
			this.part.setLength(0);
		}
		socket.request(1);
		return null;
	}

}

void trace(String url, long server) throws Exception {
	String http = "http://" + url;
	String alice = ChatCalls.login(http, "alice");
	String bob = ChatCalls.login(http, "bob");
	String room = ChatCalls
		.id(ChatCalls.send(http, "/api/rooms", "{\"name\":\"path\",\"kind\":\"group\",\"members\":[\"bob\"]}", alice));
	Session sender = new Session(url, alice);
	Session receiver = new Session(url, bob);
	receiver.send("SUBSCRIBE\nid:r\ndestination:/topic/rooms." + room + "\nreceipt:s\n\n");
	receiver.await("receipt-id:s");
	for (int i = 0; i < 3; i++) {
		exchange(sender, receiver, room, "warm" + i);
	}
	jcmd(server, "JFR.start", "name=path", "settings=" + this.directory.resolve("trace.jfc"));
	exchange(sender, receiver, room, "first");
	Thread.sleep(2_000);
	long from = System.currentTimeMillis();
	exchange(sender, receiver, room, "traced");
	Thread.sleep(1_000);
	Path recording = this.directory.resolve("path.jfr");
	jcmd(server, "JFR.stop", "name=path", "filename=" + recording);
	print(recording, from);
}

void exchange(Session sender, Session receiver, String room, String text) throws InterruptedException {
	sender.send("SEND\ndestination:/app/rooms." + room + ".send\nreceipt:" + text + "\n\n{\"clientId\":\"" + text
			+ "\",\"text\":\"" + text + "\"}");
	sender.await("receipt-id:" + text);
	receiver.await("\"text\":\"" + text + "\"");
}

void jcmd(long server, String... command) throws Exception {
	List<String> line = new ArrayList<>(List.of(java().replaceAll("java$", "jcmd"), String.valueOf(server)));
	line.addAll(List.of(command));
	if (new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(Redirect.DISCARD).start().waitFor() != 0) {
		throw new IllegalStateException("Failed: " + line);
	}
}

void print(Path recording, long from) throws IOException {
	List<RecordedEvent> events = new ArrayList<>(RecordingFile.readAllEvents(recording));
	events.removeIf((event) -> event.getStartTime().toEpochMilli() < from
			|| !event.getEventType().getName().equals("jdk.MethodTrace"));
	events.sort(java.util.Comparator.comparing(RecordedEvent::getStartTime));
	Map<String, Set<String>> byThread = new LinkedHashMap<>();
	for (RecordedEvent event : events) {
		RecordedMethod method = event.getValue("method");
		String type = method.getType().getName().replaceFirst("\\$.*", "").replaceFirst("^io\\.parley\\.", "");
		String thread = (event.getThread().getJavaName() == null) ? "virtual"
				: event.getThread().getJavaName().replaceAll("[0-9]+", "N");
		byThread.computeIfAbsent(thread, (name) -> new LinkedHashSet<>()).add(type);
	}
	byThread.forEach((thread, types) -> {
		System.out.println(thread + ": " + types.size() + " classes");
		types.forEach((type) -> System.out.println("    " + type));
	});
}
