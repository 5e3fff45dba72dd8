package io.parley.admin;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** A server, and the variable that holds its address. */
record HttpServer(URI url, String variable) {

	/**
	 * Takes an address, with or without a slash at its end.
	 * @throws AdminException if it is not the address of a web server
	 */
	HttpServer(String url, String variable) {
		this(parse(url, variable), variable);
	}

	private static URI parse(String url, String variable) {
		try {
			URI parsed = URI.create(url.replaceFirst("/+$", ""));
			if (parsed.getHost() != null && String.valueOf(parsed.getScheme()).matches("https?")) {
				return parsed;
			}
		}
		catch (IllegalArgumentException ex) {
			// The sentence below says it.
		}
		throw new AdminException(
				variable + " is not the address of a server: \"" + url + "\". It looks like http://localhost:8080.");
	}

	/** Returns a request for a path of this server. */
	HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create(this.url + path)).header("Content-Type", "application/json");
	}

	/**
	 * Sends a request.
	 * @param timeout how long the server may take
	 * @throws AdminException if no server answers in time
	 */
	HttpResponse<String> send(HttpRequest.Builder request, Duration timeout) {
		try (HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build()) {
			return client.send(request.timeout(timeout).build(), BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new AdminException("no server answers at %s: start the server, or set %s to its address."
				.formatted(this.url, this.variable));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AdminException("interrupted");
		}
	}

}
