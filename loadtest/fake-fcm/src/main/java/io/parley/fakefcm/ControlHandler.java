package io.parley.fakefcm;

import java.time.Duration;
import java.util.List;

import io.netty.handler.codec.http.QueryStringDecoder;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.HttpServerRoutes;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * HTTP endpoints to change the behaviour of the fake and to read what it received.
 */
final class ControlHandler {

	private static final JsonMapper JSON = JsonMapper.shared();

	private final FakeFcm fcm;

	ControlHandler(FakeFcm fcm) {
		this.fcm = fcm;
	}

	void routes(HttpServerRoutes routes) {
		routes.put("/behaviour", this::behave);
		routes.get("/counts", (request, response) -> json(response, this.fcm.counts()));
		routes.get("/messages", this::messages);
	}

	private Publisher<Void> behave(HttpServerRequest request, HttpServerResponse response) {
		return request.receive().aggregate().asString().defaultIfEmpty("").flatMap((body) -> {
			try {
				apply(JSON.readTree(body));
				return response.status(204).send();
			}
			catch (IllegalArgumentException | JacksonException ex) {
				return response.status(400).sendString(Mono.just(explanation())).then();
			}
		});
	}

	/**
	 * Applies all changes, or none when one of them is invalid.
	 */
	private void apply(JsonNode body) {
		Duration latency = body.has("latencyMillis") ? Duration.ofMillis(body.path("latencyMillis").asLong()) : null;
		Behaviour behaviour = behaviour(body);
		if (latency == null && behaviour == null) {
			throw new IllegalArgumentException("nothing to change");
		}
		if (latency != null) {
			this.fcm.latency(latency);
		}
		if (behaviour == null) {
			return;
		}
		if (body.has("token")) {
			this.fcm.behave(body.path("token").asString(), behaviour);
		}
		else if (body.has("first")) {
			this.fcm.failFirst(body.path("first").asInt(), behaviour);
		}
		else {
			this.fcm.behave(behaviour);
		}
	}

	private static @Nullable Behaviour behaviour(JsonNode body) {
		String retryAfter = body.has("retryAfter") ? body.path("retryAfter").asString() : null;
		return body.has("kind") ? Behaviour.of(body.path("kind").asString(), retryAfter) : null;
	}

	private Publisher<Void> messages(HttpServerRequest request, HttpServerResponse response) {
		List<String> tokens = new QueryStringDecoder(request.uri()).parameters().getOrDefault("token", List.of());
		return json(response,
				this.fcm.requests()
					.stream()
					.filter((kept) -> tokens.isEmpty() || tokens.contains(kept.target()))
					.toList());
	}

	private static Publisher<Void> json(HttpServerResponse response, Object body) {
		return response.header("content-type", "application/json")
			.sendString(Mono.just(JSON.writeValueAsString(body)))
			.then();
	}

	private static String explanation() {
		return "Send {\"kind\":\"...\"}, perhaps with latencyMillis, retryAfter, and token or first. Kinds: "
				+ String.join(", ", FakeFcmCommand.kinds()) + "\n";
	}

}
