package io.parley.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;

/** Receives spans by OTLP over HTTP, as a collector does. */
final class TraceReceiver implements AutoCloseable {

	private final HttpServer server;

	private final List<Span> spans = new CopyOnWriteArrayList<>();

	private TraceReceiver(HttpServer server) {
		this.server = server;
		server.createContext("/v1/traces", this::receive);
	}

	static TraceReceiver start() {
		try {
			HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
			TraceReceiver receiver = new TraceReceiver(server);
			server.start();
			return receiver;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	String endpoint() {
		return "http://127.0.0.1:" + this.server.getAddress().getPort() + "/v1/traces";
	}

	/** Returns the spans of a trace so far, in the order of their arrival. */
	List<Span> spans(String trace) {
		return this.spans.stream()
			.filter((span) -> HexFormat.of().formatHex(span.getTraceId().toByteArray()).equals(trace))
			.toList();
	}

	private void receive(HttpExchange exchange) throws IOException {
		try (exchange) {
			ExportTraceServiceRequest request = ExportTraceServiceRequest.parseFrom(exchange.getRequestBody());
			request.getResourceSpansList()
				.forEach((resource) -> resource.getScopeSpansList()
					.forEach((scope) -> this.spans.addAll(scope.getSpansList())));
			exchange.sendResponseHeaders(200, -1);
		}
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

}
