package io.parley.loadtest.study.separation;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.parley.loadtest.cli.RefusedException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Registers the offline devices at the inline server once all sessions are connected. The
 * probes for the subscriptions must not be pushed, because the pushes would delay the
 * server at the start of the measurement.
 */
final class RoomsAway implements AutoCloseable {

	private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

	private final URI url;

	private final int each;

	/**
	 * Creates a client of the server at this address.
	 * @param each number of devices in each room; 0 for a server that tracks presence
	 * itself
	 */
	RoomsAway(URI url, int each) {
		this.url = url.resolve("/devices");
		this.each = each;
	}

	void register(List<String> rooms) {
		if (this.each > 0) {
			rooms.forEach(this::register);
		}
	}

	private void register(String room) {
		List<String> tokens = IntStream.range(0, this.each).mapToObj((n) -> room + ":" + n).toList();
		HttpRequest request = HttpRequest.newBuilder(this.url)
			.header("Content-Type", "application/json")
			.POST(BodyPublishers
				.ofByteArray(JsonMapper.shared().writeValueAsBytes(Map.of("room", room, "tokens", tokens))))
			.build();
		try {
			int status = this.client.send(request, BodyHandlers.discarding()).statusCode();
			if (status != 200) {
				throw new RefusedException(
						"The inline server answered %d to the registration of devices.".formatted(status));
			}
		}
		catch (IOException ex) {
			throw new RefusedException("The inline server does not answer: " + ex);
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
