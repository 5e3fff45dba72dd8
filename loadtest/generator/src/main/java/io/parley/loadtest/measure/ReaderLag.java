package io.parley.loadtest.measure;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.parley.loadtest.cli.Http;

/**
 * Reads the lag of a worker behind the log from its metrics.
 */
public final class ReaderLag implements AutoCloseable {

	private static final Pattern LAG = Pattern
		.compile("(?m)^chat_reader_lag\\{[^}]*reader=\"persistence\"[^}]*\\} (\\S+)");

	private final Http http = new Http();

	private final URI metrics;

	public ReaderLag(URI metrics) {
		this.metrics = metrics;
	}

	/**
	 * Returns whether the worker answers and has stored all records that it knows of.
	 */
	public boolean isZero() {
		try {
			Matcher lag = LAG.matcher(this.http.get(this.metrics, Duration.ofSeconds(5)).body());
			return lag.find() && Double.parseDouble(lag.group(1)) == 0;
		}
		catch (IOException ex) {
			return false;
		}
	}

	@Override
	public void close() {
		this.http.close();
	}

}
