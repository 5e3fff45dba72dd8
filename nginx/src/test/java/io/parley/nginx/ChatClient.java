package io.parley.nginx;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import javax.net.ssl.SSLContext;

import com.jayway.jsonpath.JsonPath;

/** A user of the chat, with REST requests and any number of WebSocket sessions. */
final class ChatClient implements AutoCloseable {

	private final HttpClient http;

	/** The base address, {@code http://host:port}. */
	private final String address;

	private final String token;

	/** The header fields of each request. */
	private final Map<String, String> headers;

	private ChatClient(HttpClient http, String address, String token, Map<String, String> headers) {
		this.http = http;
		this.address = address;
		this.token = token;
		this.headers = headers;
	}

	/** Registers a user at this address. */
	static ChatClient register(String server) throws IOException, InterruptedException {
		String account = """
				{"username":"alice","password":"a long password"}""";
		String address = "http://" + server;
		try (ChatClient stranger = new ChatClient(HttpClient.newHttpClient(), address, "", Map.of())) {
			stranger.post("/api/auth/register", account);
			String token = field("accessToken", stranger.post("/api/auth/login", account));
			return new ChatClient(HttpClient.newHttpClient(), address, token, Map.of());
		}
	}

	/** Returns the same user at another address. */
	ChatClient at(String otherAddress) {
		return new ChatClient(HttpClient.newHttpClient(), "http://" + otherAddress, this.token, Map.of());
	}

	/** Returns the same user at another address, over TLS. */
	ChatClient at(String otherAddress, SSLContext trust) {
		HttpClient http = HttpClient.newBuilder().sslContext(trust).build();
		return new ChatClient(http, "https://" + otherAddress, this.token, Map.of());
	}

	/** Returns the same user behind a proxy that reports this client address. */
	ChatClient from(String source) {
		return new ChatClient(this.http, this.address, this.token, Map.of("X-Forwarded-For", source));
	}

	String createRoom() throws IOException, InterruptedException {
		return field("id", post("/api/rooms", """
				{"name":"front","kind":"group"}"""));
	}

	void say(String room, String text) throws IOException, InterruptedException {
		post("/api/rooms/" + room + "/messages", """
				{"clientId":"%s","text":"%s"}""".formatted(text, text));
	}

	/**
	 * Opens a WebSocket and subscribes to the room. Fails with a
	 * {@link java.net.http.WebSocketHandshakeException} if nginx refuses it.
	 */
	CompletableFuture<ChatSession> join(String room) {
		ChatSession session = new ChatSession(this.token, room);
		WebSocket.Builder builder = this.http.newWebSocketBuilder();
		this.headers.forEach(builder::header);
		return builder.subprotocols("v12.stomp")
			.buildAsync(URI.create(this.address.replaceFirst("http", "ws") + "/ws"), session)
			.thenCompose((socket) -> session.subscribed());
	}

	HttpResponse<String> get(String path) throws IOException, InterruptedException {
		return this.http.send(request(path).build(), BodyHandlers.ofString());
	}

	/** Signs in with a wrong password. */
	CompletableFuture<HttpResponse<String>> failToSignIn() {
		HttpRequest request = request("/api/auth/login").header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString("""
					{"username":"nobody","password":"a wrong password"}"""))
			.build();
		return this.http.sendAsync(request, BodyHandlers.ofString());
	}

	private HttpRequest.Builder request(String path) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.address + path));
		this.headers.forEach(request::header);
		return request;
	}

	private String post(String path, String json) throws IOException, InterruptedException {
		HttpRequest.Builder request = request(path).header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString(json));
		if (!this.token.isEmpty()) {
			request.header("Authorization", "Bearer " + this.token);
		}
		HttpResponse<String> response = this.http.send(request.build(), BodyHandlers.ofString());
		if (response.statusCode() >= 300) {
			throw new IOException(path + " was answered " + response.statusCode() + " " + response.body());
		}
		return response.body();
	}

	private static String field(String name, String json) {
		return JsonPath.read(json, "$." + name);
	}

	@Override
	public void close() {
		this.http.shutdownNow();
	}

}
