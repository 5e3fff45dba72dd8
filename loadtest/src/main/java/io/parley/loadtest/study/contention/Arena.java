package io.parley.loadtest.study.contention;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Set;

/** A server where users join rooms of few places. */
abstract class Arena implements AutoCloseable {

	/** What became of a request. */
	enum Answer {

		/** The user is in. */
		JOINED,
		/** No place was left. */
		FULL,
		/** Anything else. */
		ERROR

	}

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	/** Makes a room that so many may join, and answers its id. */
	abstract String newRoom(int places) throws Exception;

	/** The request by which the nth user joins. */
	abstract HttpRequest joining(String room, int user);

	/** What the answer to it means. */
	abstract Answer read(HttpResponse<String> response);

	/** The users who are in a room, as their numbers. */
	abstract Set<Integer> members(String room) throws Exception;

	final HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
		return this.client.send(request, BodyHandlers.ofString());
	}

	/** Sends what must be answered well. */
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
