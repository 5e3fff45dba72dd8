package io.parley.loadtest.trial;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;

import io.parley.loadtest.cli.Http;
import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.cli.Target;
import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.user.Account;

/**
 * Checks the options and the target before a run sends anything.
 */
public final class Preconditions {

	private static final int MAX_SESSIONS_PER_USER = 20;

	/** Allowance for files opened by libraries, event loops and the REST client. */
	public static final int OTHER_FILES = 100;

	private static final Duration ANSWER = Duration.ofSeconds(10);

	private Preconditions() {
	}

	/**
	 * Checks that the numbers of sessions, rooms and users fit together.
	 * @throws LoadTestException with the change to make
	 */
	public static void checkSessions(int sessions, int rooms, int users) {
		require(sessions > 0 && rooms > 0, "--sessions and --rooms must be above 0.");
		require(rooms <= sessions, "--rooms must not be above --sessions: a room needs a session.");
		require(sessions <= users * MAX_SESSIONS_PER_USER,
				"A user may have %,d sessions: %,d sessions need --users %,d or more.", MAX_SESSIONS_PER_USER, sessions,
				Math.ceilDiv(sessions, MAX_SESSIONS_PER_USER));
	}

	/**
	 * Checks that no token expires during the run.
	 * @throws LoadTestException with the change to make
	 */
	public static void checkTokens(List<Account> accounts, Duration length) {
		long shortest = accounts.stream().mapToLong(Account::tokenSeconds).filter((life) -> life > 0).min().orElse(0);
		require(shortest == 0 || shortest >= length.toSeconds(),
				"The server's tokens are valid for %,d s, but connecting and holding take %,d s: shorten"
						+ " --hold or configure a longer token lifetime at the server.",
				shortest, length.toSeconds());
	}

	/**
	 * Checks that a Parley server is ready.
	 * @throws LoadTestException when it is not ready, or does not answer
	 */
	public static void checkReady(Target target) {
		URI readiness = target.url.resolve("/readyz");
		try (Http http = new Http()) {
			int status = http.get(readiness, ANSWER).statusCode();
			require(status == 200,
					"The server is not ready, GET %s answers %d: wait until it has started, or look at its log.",
					readiness, status);
		}
		catch (IOException ex) {
			throw new LoadTestException(
					"Nothing answers at %s: start a server with \"./chat run\", or pass --url.".formatted(readiness));
		}
	}

	public static void checkTarget(Target target, int sessions) {
		require(target.owned || isLoopback(target.url.getHost()),
				"%s is not this machine: load on someone else's host is an attack. If it is yours, add"
						+ " --i-own-this-host.",
				target.url);
		target.sources.forEach(Target::source);
		checkOpenFiles(sessions, Generator.maxOpenFiles());
	}

	public static void checkOpenFiles(int sessions, long limit) {
		long needed = (long) sessions + OTHER_FILES;
		require(limit >= needed,
				"%,d sessions need %,d open files, one process may open %,d: run \"ulimit -n %d\" first, or use several"
						+ " processes (idle has --processes) with %d sessions or fewer each.",
				sessions, needed, limit, needed, Math.max(1, limit - OTHER_FILES));
	}

	private static boolean isLoopback(String host) {
		try {
			return InetAddress.getByName(host).isLoopbackAddress();
		}
		catch (UnknownHostException ex) {
			throw new LoadTestException("The host " + host + " is unknown: check --url.");
		}
	}

	public static void require(boolean condition, String sentence, Object... arguments) {
		if (!condition) {
			throw new LoadTestException(sentence.formatted(arguments));
		}
	}

}
