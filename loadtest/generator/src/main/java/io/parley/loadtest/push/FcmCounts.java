package io.parley.loadtest.push;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

import io.parley.loadtest.cli.RefusedException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the counts of a fake FCM.
 */
final class FcmCounts implements AutoCloseable {

	private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

	private final URI control;

	FcmCounts(URI control) {
		this.control = control;
	}

	/**
	 * Numbers of requests, deliveries, repeated deliveries and connections since its
	 * start.
	 */
	record Counts(long requests, long delivered, long duplicates, long connections) {
	}

	/**
	 * Returns the current counts.
	 * @throws RefusedException when no fake FCM answers
	 */
	Counts now() {
		HttpRequest request = HttpRequest.newBuilder(this.control.resolve("/counts"))
			.timeout(Duration.ofSeconds(10))
			.build();
		try {
			JsonNode counts = JsonMapper.shared().readTree(this.client.send(request, BodyHandlers.ofString()).body());
			return new Counts(counts.path("requests").asLong(), counts.path("delivered").asLong(),
					counts.path("duplicates").asLong(), counts.path("connections").asLong());
		}
		catch (IOException ex) {
			throw new RefusedException(
					"No fake FCM answers at %s: start one with \"./chat loadtest fake-fcm\", let the server push to it, and pass its address with --fcm."
						.formatted(this.control));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RefusedException("The run was interrupted.");
		}
	}

	@Override
	public void close() {
		this.client.close();
	}

}
