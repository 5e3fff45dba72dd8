package io.parley.loadtest.life;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.user.RestApi;
import io.parley.loadtest.user.RestApi.Tokens;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.JsonNode;

/**
 * The requests of the page, timed. A failed one is counted by its class and gives an
 * empty answer. Blocks the calling thread. Safe for use by many threads.
 */
final class LifeRest {

	private static final int NEWEST = 50;

	private final RestApi api;

	private final LifeMeasures measures;

	private final AtomicInteger underWay = new AtomicInteger();

	LifeRest(RestApi api, LifeMeasures measures) {
		this.api = api;
		this.measures = measures;
	}

	Optional<JsonNode> rooms(Tokens tokens) {
		return timed("GET /api/rooms", this.measures.roomList, () -> this.api.rooms(tokens.accessToken()));
	}

	Optional<JsonNode> details(Tokens tokens, String room) {
		return timed("GET /api/rooms/{room}", this.measures.details, () -> this.api.room(tokens.accessToken(), room));
	}

	/**
	 * Returns the page that is shown when a room is opened.
	 */
	Optional<JsonNode> newest(Tokens tokens, String room) {
		return newest(tokens, room, NEWEST);
	}

	Optional<JsonNode> newest(Tokens tokens, String room, int limit) {
		return timed("GET /api/rooms/{room}/messages", this.measures.newestPage,
				() -> this.api.newest(tokens.accessToken(), room, limit));
	}

	Optional<JsonNode> after(Tokens tokens, String room, long position, int limit) {
		return timed("GET /api/rooms/{room}/messages?after", this.measures.newestPage,
				() -> this.api.page(tokens.accessToken(), room, position, limit));
	}

	Optional<Tokens> refresh(Tokens tokens) {
		return timed("POST /api/auth/refresh", this.measures.refreshing, () -> this.api.refresh(tokens));
	}

	boolean join(Tokens tokens, String room, String username) {
		return timed("POST /api/rooms/{room}/members", this.measures.joining, () -> {
			this.api.join(tokens.accessToken(), room, username);
			return true;
		}).isPresent();
	}

	boolean leave(Tokens tokens, String room, String username) {
		return timed("DELETE /api/rooms/{room}/members/{username}", this.measures.joining, () -> {
			this.api.leave(tokens.accessToken(), room, username);
			return true;
		}).isPresent();
	}

	private <T> Optional<T> timed(String what, Histogram histogram, Supplier<T> request) {
		long start = System.nanoTime();
		this.underWay.incrementAndGet();
		try {
			T answer = request.get();
			Measures.since(start, histogram);
			return Optional.of(answer);
		}
		catch (LoadTestException ex) {
			this.measures.all.error(what + ": " + RestApi.reason(ex));
			return Optional.empty();
		}
		finally {
			this.underWay.decrementAndGet();
		}
	}

	/**
	 * Returns the number of requests without an answer so far.
	 */
	int underWay() {
		return this.underWay.get();
	}

}
