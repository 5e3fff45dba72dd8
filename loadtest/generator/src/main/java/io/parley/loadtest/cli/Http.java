package io.parley.loadtest.cli;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * A client for HTTP/1.1 requests with a time limit.
 */
public final class Http implements AutoCloseable {

	private final HttpClient client = HttpClient.newBuilder()
		.version(HttpClient.Version.HTTP_1_1)
		.connectTimeout(Duration.ofSeconds(10))
		.build();

	/**
	 * Sends a request and returns the answer, whatever its status.
	 * @throws IOException when there is no answer within the time limit
	 * @throws LoadTestException when this thread is interrupted
	 */
	public HttpResponse<String> send(HttpRequest.Builder request, Duration timeout) throws IOException {
		try {
			return this.client.send(request.timeout(timeout).build(), BodyHandlers.ofString());
		}
		catch (InterruptedException ex) {
			throw Interrupt.ofThread();
		}
	}

	/**
	 * Requests a resource like {@link #send}.
	 */
	public HttpResponse<String> get(URI url, Duration timeout) throws IOException {
		return send(HttpRequest.newBuilder(url), timeout);
	}

	@Override
	public void close() {
		this.client.close();
	}

}
