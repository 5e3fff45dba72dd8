package io.parley.loadtest.push;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;

import io.parley.loadtest.cli.Http;
import io.parley.loadtest.cli.LoadTestException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Numbers of requests, deliveries, repeated deliveries and connections of a fake FCM
 * since its start.
 */
record FcmCounts(long requests, long delivered, long duplicates, long connections) {

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	/**
	 * Reads the current counts of a fake FCM.
	 * @param control its control address
	 * @throws LoadTestException when no fake FCM answers
	 */
	static FcmCounts read(Http http, URI control) {
		try {
			return JsonMapper.shared().readValue(http.get(control.resolve("/counts"), TIMEOUT).body(), FcmCounts.class);
		}
		catch (IOException ex) {
			throw new LoadTestException(
					"No fake FCM answers at %s: start one with \"./chat loadtest fake-fcm\", let the server push to it, and pass its address with --fcm."
						.formatted(control));
		}
	}

	FcmCounts minus(FcmCounts before) {
		return new FcmCounts(this.requests - before.requests, this.delivered - before.delivered,
				this.duplicates - before.duplicates, this.connections - before.connections);
	}

}
