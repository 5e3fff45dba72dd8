package io.parley.loadtest.study.contention;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import org.springframework.core.NestedRuntimeException;

/**
 * A minimal server for joining rooms: {@code PUT /room?places}, {@code POST /room/user}
 * and {@code GET /room}.
 */
final class JoinServer implements AutoCloseable {

	static final int JOINED = 201;

	static final int FULL = 409;

	private static final int OK = 200;

	private static final int FAILED = 503;

	private static final int BACKLOG = 1024;

	private final ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();

	private final RoomTable rooms;

	private final Joiner joiner;

	private final HttpServer server;

	JoinServer(int port, RoomTable rooms, Joiner joiner) throws IOException {
		this.rooms = rooms;
		this.joiner = joiner;
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
		this.server.setExecutor(this.requests);
		this.server.createContext("/", this::handle);
		this.server.start();
	}

	private void handle(HttpExchange exchange) throws IOException {
		try (exchange) {
			try {
				serve(exchange, exchange.getRequestURI().getPath().split("/"));
			}
			catch (IOException ex) {
				throw ex;
			}
			catch (Exception ex) {
				// Spring wraps the exception of the database, which says more.
				Throwable cause = (ex instanceof NestedRuntimeException && ex.getCause() != null) ? ex.getCause() : ex;
				answer(exchange, FAILED, String.valueOf(cause.getMessage()));
			}
		}
	}

	private void serve(HttpExchange exchange, String[] path) throws Exception {
		switch (exchange.getRequestMethod()) {
			case "PUT" -> {
				this.rooms.create(path[1], Integer.parseInt(exchange.getRequestURI().getQuery()));
				answer(exchange, JOINED, "");
			}
			case "POST" -> answer(exchange, this.joiner.join(path[1], path[2]) ? JOINED : FULL, "");
			default -> answer(exchange, OK, String.join("\n", this.rooms.members(path[1])));
		}
	}

	private static void answer(HttpExchange exchange, int status, String text) throws IOException {
		byte[] body = text.getBytes(StandardCharsets.UTF_8);
		exchange.sendResponseHeaders(status, (body.length > 0) ? body.length : -1);
		try (OutputStream out = exchange.getResponseBody()) {
			out.write(body);
		}
	}

	@Override
	public void close() {
		this.server.stop(0);
		this.requests.close();
	}

}
