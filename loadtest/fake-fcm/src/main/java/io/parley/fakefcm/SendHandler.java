package io.parley.fakefcm;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2StreamChannel;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.channel.ChannelOperations;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Handles requests to send a message.
 */
final class SendHandler {

	private static final JsonMapper JSON = JsonMapper.shared();

	private final BehaviourSelector behaviours;

	private final Ledger ledger;

	private final Connections connections;

	private final AtomicLong names = new AtomicLong();

	private volatile Duration latency;

	SendHandler(BehaviourSelector behaviours, Ledger ledger, Connections connections, Duration latency) {
		this.behaviours = behaviours;
		this.ledger = ledger;
		this.connections = connections;
		this.latency = latency;
	}

	void latency(Duration value) {
		this.latency = value;
	}

	Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response) {
		Channel channel = ((ChannelOperations<?, ?>) request).channel();
		Channel connection = (channel instanceof Http2StreamChannel) ? channel.parent() : channel;
		Runnable leave = this.connections.enter(connection);
		Mono<String> body = request.receive().aggregate().asString().defaultIfEmpty("");
		return body
			.flatMap((json) -> answer(request, response, read(json, request, channel, connection), connection, leave))
			.doFinally((end) -> leave.run());
	}

	private static FcmRequest read(String json, HttpServerRequest request, Channel channel, Channel connection) {
		JsonNode body = JSON.readTree(json);
		String version = (channel instanceof Http2StreamChannel) ? "HTTP/2.0" : request.version().text();
		return FcmRequest.of(body, version, connection.id().asShortText());
	}

	private Mono<Void> answer(HttpServerRequest request, HttpServerResponse response, FcmRequest message,
			Channel connection, Runnable leave) {
		int attempt = this.ledger.request(message);
		Behaviour behaviour = this.behaviours.of(message.target(), attempt);
		if (behaviour.kind() == Behaviour.Kind.HANG) {
			return Mono.never();
		}
		Duration wait = this.latency;
		Mono<Long> delay = wait.isZero() ? Mono.just(0L) : Mono.delay(wait);
		return delay.flatMap((waited) -> {
			// Must run before the answer: the client may start the next request right
			// after it.
			leave.run();
			if (!isAuthorized(request)) {
				return send(response, message, Behaviour.of(Behaviour.Kind.UNAUTHENTICATED));
			}
			if (behaviour.delivers()) {
				this.ledger.delivered(message);
			}
			if (behaviour.disconnects()) {
				connection.close();
				return Mono.never();
			}
			return send(response, message, behaviour);
		});
	}

	private static boolean isAuthorized(HttpServerRequest request) {
		String header = request.requestHeaders().get("authorization");
		return header != null && header.startsWith("Bearer " + TokenHandler.PREFIX);
	}

	private Mono<Void> send(HttpServerResponse response, FcmRequest message, Behaviour behaviour) {
		String name = "projects/parley-test/messages/" + this.names.incrementAndGet();
		FcmAnswers.Answer answer = FcmAnswers.of(behaviour.kind(), name, message.targetKind());
		response.status(answer.status()).header("content-type", answer.contentType());
		if (behaviour.retryAfter() != null) {
			response.header("retry-after", behaviour.retryAfter());
		}
		if (behaviour.kind() == Behaviour.Kind.UNAUTHENTICATED) {
			response.header("www-authenticate",
					"Bearer realm=\"https://accounts.google.com/\", error=\"invalid_token\"");
		}
		return response.sendString(Mono.just(answer.body())).then();
	}

}
