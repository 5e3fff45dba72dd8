package io.parley.loadtest.measure;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.parley.loadtest.cli.RefusedException;

/**
 * Reads the lag of a worker behind the log from its metrics.
 */
public final class ReaderLag implements AutoCloseable {

	private static final Pattern LAG = Pattern
		.compile("(?m)^chat_reader_lag\\{[^}]*reader=\"persistence\"[^}]*\\} (\\S+)");

	private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

	private final URI metrics;

	public ReaderLag(URI metrics) {
		this.metrics = metrics;
	}

	/**
	 * Returns whether the worker answers and has stored all records that it knows of.
	 */
	public boolean isZero() {
		try {
			HttpRequest request = HttpRequest.newBuilder(this.metrics).timeout(Duration.ofSeconds(5)).build();
			return isZero(this.client.send(request, BodyHandlers.ofString()).body());
		}
		catch (IOException ex) {
			return false;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RefusedException("The run was interrupted.");
		}
	}

	static boolean isZero(String metrics) {
		Matcher lag = LAG.matcher(metrics);
		return lag.find() && Double.parseDouble(lag.group(1)) == 0;
	}

	@Override
	public void close() {
		this.client.shutdownNow();
	}

}
