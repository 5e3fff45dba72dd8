package io.parley.loadtest.study.contention;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Set;

/**
 * A client of a server where users join rooms with few places.
 */
abstract class JoinTarget implements AutoCloseable {

	/**
	 * The result of a request; any other answer is an error.
	 */
	enum Answer {

		JOINED, FULL, ERROR

	}

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	/**
	 * Creates a room for that many joining users, and returns its id.
	 */
	abstract String newRoom(int places) throws Exception;

	/**
	 * Returns the request with which the nth user joins.
	 */
	abstract HttpRequest joining(String room, int user);

	abstract Answer read(HttpResponse<String> response);

	/**
	 * Returns the numbers of the users who are in a room.
	 */
	abstract Set<Integer> members(String room) throws Exception;

	final HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
		return this.client.send(request, BodyHandlers.ofString());
	}

	/**
	 * Sends a request and returns the body of the answer.
	 * @throws IOException when the status is not 2xx
	 */
	final String ask(HttpRequest request) throws IOException, InterruptedException {
		HttpResponse<String> response = send(request);
		if (response.statusCode() / 100 != 2) {
			throw new IOException(
					request.uri() + " was answered with " + response.statusCode() + ": " + response.body());
		}
		return response.body();
	}

	@Override
	public void close() {
		this.client.close();
	}

}
