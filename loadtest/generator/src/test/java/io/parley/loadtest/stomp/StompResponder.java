package io.parley.loadtest.stomp;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerRoutes;
import reactor.netty.http.server.WebsocketServerSpec;

/**
 * A minimal server for the protocol, on a free port, with faults on request.
 */
public final class StompResponder implements AutoCloseable {

	final AtomicInteger heartBeats = new AtomicInteger();

	public final AtomicInteger sends = new AtomicInteger();

	static final int TURNED_AWAY = 10;

	static final int PLACES = 30;

	private final AtomicInteger taken = new AtomicInteger();

	private final AtomicInteger turnedAway = new AtomicInteger();

	/**
	 * Connections that sent a message.
	 */
	public final Set<ResponderSession> senders = ConcurrentHashMap.newKeySet();

	/**
	 * The received messages.
	 */
	public final Queue<String> texts = new ConcurrentLinkedQueue<>();

	/**
	 * The source addresses of the sessions.
	 */
	public final Set<String> sources = ConcurrentHashMap.newKeySet();

	/**
	 * Run when that many rooms exist, before the answer to the request for the last of
	 * them.
	 */
	public volatile Map<Integer, Runnable> atRoom = Map.of();

	private final AtomicInteger made = new AtomicInteger();

	private final AtomicInteger ids = new AtomicInteger();

	private final Map<String, ResponderRoom> rooms = new ConcurrentHashMap<>();

	private final Fault fault;

	private final String heartBeat;

	private final DisposableServer server;

	/**
	 * Starts a responder.
	 */
	public StompResponder(Fault fault) {
		this(fault, "0,10000", 0);
	}

	public StompResponder(Fault fault, String heartBeat, int port) {
		this.fault = fault;
		this.heartBeat = heartBeat;
		this.server = HttpServer.create().host("127.0.0.1").port(port).route(this::routes).bindNow();
	}

	/**
	 * Serves until the process is stopped, to try the kit by hand.
	 */
	public static void main(String[] args) {
		new StompResponder(Fault.NONE, "0,10000", Integer.parseInt(args[0])).server.onDispose().block();
	}

	/**
	 * Returns the address.
	 */
	public URI url() {
		return URI.create("http://127.0.0.1:" + this.server.port());
	}

	boolean is(Fault asked) {
		return this.fault == asked;
	}

	String heartBeat() {
		return this.heartBeat;
	}

	/**
	 * Returns the room in {@code /topic/rooms.x} or {@code /app/rooms.x.send}.
	 */
	ResponderRoom room(String destination) {
		return this.rooms.computeIfAbsent(destination.split("\\.")[1], (id) -> new ResponderRoom(this.fault));
	}

	private boolean turnsAway(HttpServerRequest request) {
		return this.fault == Fault.TURN_AWAY && request.uri().equals("/ws")
				&& this.turnedAway.getAndIncrement() < TURNED_AWAY;
	}

	private boolean isFull(HttpServerRequest request) {
		boolean full = this.fault == Fault.FULL && request.uri().equals("/ws") && this.taken.incrementAndGet() > PLACES;
		if (full) {
			this.taken.decrementAndGet();
		}
		return full;
	}

	/**
	 * Called when a session has ended.
	 */
	void free() {
		this.taken.decrementAndGet();
	}

	private void routes(HttpServerRoutes routes) {
		routes.route(this::isFull, (request, response) -> response.status(503).header("Retry-After", "10").send());
		routes.route(this::turnsAway, (request, response) -> response.status(503).header("Retry-After", "1").send());
		routes.get("/readyz", (request, response) -> response.send());
		routes.post("/api/auth/register", (request, response) -> response.status(201).send());
		routes.post("/api/auth/login", (request, response) -> response.sendString(
				Mono.just("{\"accessToken\":\"token-%d\",\"expiresIn\":900}".formatted(this.ids.incrementAndGet()))));
		routes.post("/api/rooms", (request, response) -> response.status(201).sendString(Mono.just(newRoom())));
		routes.post("/api/rooms/{id}/members", (request, response) -> response.status(204).send());
		routes.get("/api/rooms/{id}/messages", (request, response) -> response.sendString(Mono.just(page(request))));
		routes.get("/metrics", (request, response) -> response
			.sendString(Mono.just("chat_reader_lag{reader=\"persistence\",} 0.0\n")));
		routes.ws("/ws", (in, out) -> {
			in.withConnection((connection) -> {
				this.sources.add(((InetSocketAddress) connection.channel().remoteAddress()).getHostString());
				connection.addHandlerLast(new ResponderSession(this));
			});
			return Mono.never();
		}, WebsocketServerSpec.builder().protocols("v12.stomp").build());
	}

	private String newRoom() {
		this.atRoom.getOrDefault(this.made.incrementAndGet(), () -> {
		}).run();
		return "{\"id\":\"room-%d\"}".formatted(this.ids.incrementAndGet());
	}

	private String page(HttpServerRequest request) {
		String after = request.uri().substring(request.uri().indexOf("after=") + "after=".length());
		return room("rooms." + request.param("id")).page(Long.parseLong(after));
	}

	@Override
	public void close() {
		this.server.disposeNow();
	}

}
