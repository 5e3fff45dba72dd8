package io.parley.loadtest;

import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;

import com.sun.management.UnixOperatingSystemMXBean;
import io.parley.loadtest.cli.RefusedException;

/** What is checked before anything is sent. */
final class Refusals {

	private static final int MOST_SESSIONS_PER_USER = 20;

	private static final int MOST_SENDS_PER_USER = 10;

	/** Libraries, event loops and the REST client open files too. */
	private static final int OTHER_FILES = 100;

	private Refusals() {
	}

	/**
	 * Checks that the run can be what it says.
	 * @throws RefusedException with what to change
	 */
	static void check(IdleOptions options) {
		require(options.sessions > 0 && options.rooms > 0 && options.connectRate > 0 && options.rate >= 0,
				"--sessions, --rooms and --connect-rate must be above 0, and --rate not below 0.");
		require(options.rooms <= options.sessions, "--rooms must not be above --sessions: a room needs a session.");
		require(!options.plain || options.users == 0 && options.away == 0,
				"There are no users with --plain: leave --users and --away out.");
		require(options.away >= 0, "--away must not be below 0.");
		require(options.plain || (options.login == null && options.passcode == null),
				"--login and --passcode belong to --plain: at Parley the kit signs up users of its own.");
		require(options.plain || options.sessions <= options.users() * MOST_SESSIONS_PER_USER,
				"A user may have %,d sessions: %,d sessions need --users %,d or more.", MOST_SESSIONS_PER_USER,
				options.sessions, Math.ceilDiv(options.sessions, MOST_SESSIONS_PER_USER));
		checkTarget(options.target, options.sessions);
	}

	/**
	 * Checks that the run of a ledger can be what it says.
	 * @throws RefusedException with what to change
	 */
	static void check(LedgerOptions options) {
		require(options.users > 0 && options.rooms > 0 && options.rate > 0,
				"--users, --rooms and --rate must be above 0.");
		require(options.rooms <= options.users, "--rooms must not be above --users: a room needs a user.");
		require(options.rate <= options.users * MOST_SENDS_PER_USER,
				"A user may send 20 messages a second, half of that is kept for retries: --rate %s needs --users %d or more.",
				options.rate, (int) Math.ceil(options.rate / MOST_SENDS_PER_USER));
		checkTarget(options.target, options.users);
	}

	/**
	 * Checks that the run of a push trial can be what it says.
	 * @throws RefusedException with what to change
	 */
	static void check(PushOptions options) {
		require(options.live > 0 && options.away > 0, "--live and --away must be above 0.");
		checkTarget(options.target, options.live);
	}

	private static void checkTarget(Target target, int sessions) {
		require(target.owned || isLoopback(target.url.getHost()),
				"%s is not this machine: load on somebody else's host is an attack. If it is yours, add --i-own-this-host.",
				target.url);
		checkOpenFiles(sessions, openFiles());
	}

	static void checkOpenFiles(int sessions, long limit) {
		long needed = (long) sessions + OTHER_FILES;
		require(limit >= needed,
				"%,d sessions need %,d open files, this process may open %,d: run \"ulimit -n %d\" first, or use several"
						+ " processes with --sessions %d or fewer.",
				sessions, needed, limit, needed, Math.max(1, limit - OTHER_FILES));
	}

	private static boolean isLoopback(String host) {
		try {
			return InetAddress.getByName(host).isLoopbackAddress();
		}
		catch (UnknownHostException ex) {
			throw new RefusedException("The host " + host + " is not known: check --url.");
		}
	}

	static long openFiles() {
		return (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix)
				? unix.getMaxFileDescriptorCount() : Long.MAX_VALUE;
	}

	private static void require(boolean fine, String sentence, Object... arguments) {
		if (!fine) {
			throw new RefusedException(sentence.formatted(arguments));
		}
	}

}
