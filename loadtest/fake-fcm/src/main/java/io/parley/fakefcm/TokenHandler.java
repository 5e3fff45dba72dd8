package io.parley.fakefcm;

import java.util.concurrent.atomic.AtomicLong;

import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * Issues access tokens for any assertion, or refuses all requests.
 */
final class TokenHandler {

	static final String PREFIX = "fake-access-";

	private final AtomicLong given = new AtomicLong();

	private volatile boolean refusing;

	void refuse(boolean value) {
		this.refusing = value;
	}

	long given() {
		return this.given.get();
	}

	Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response) {
		return request.receive().aggregate().asString().defaultIfEmpty("").flatMap((form) -> {
			response.header("content-type", "application/json");
			if (this.refusing || !form.contains("assertion=")) {
				return response.status(400)
					.sendString(Mono.just("{\"error\":\"invalid_grant\",\"error_description\":\"Refused.\"}"))
					.then();
			}
			String token = PREFIX + this.given.incrementAndGet();
			return response
				.sendString(Mono
					.just("{\"access_token\":\"%s\",\"token_type\":\"Bearer\",\"expires_in\":3600}".formatted(token)))
				.then();
		});
	}

}
