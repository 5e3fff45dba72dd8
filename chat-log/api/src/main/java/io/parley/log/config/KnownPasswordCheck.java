package io.parley.log.config;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Refuses passwords that everybody knows: the defaults of databases and brokers, and
 * those of earlier versions of this project. A server on this machine may have one, for
 * trials and tests.
 */
public final class KnownPasswordCheck {

	private static final Set<String> KNOWN = Set.of("", "1234", "12345", "123456", "12345678", "123456789", "admin",
			"administrator", "artemis", "activemq", "changeit", "changeme", "chat", "default", "demo", "example",
			"guest", "kafka", "letmein", "manager", "mysql", "parley", "pass", "passw0rd", "password", "qwerty",
			"rabbit", "rabbitmq", "root", "secret", "system", "test", "toor", "user");

	private static final Pattern LOOPBACK = Pattern
		.compile("localhost|127(\\.\\d{1,3}){3}|::1|(0{1,4}:){7}0{0,3}1|::ffff:127(\\.\\d{1,3}){3}");

	private static final Pattern PORT = Pattern.compile("^([^:]*|\\[.*]):\\d+$");

	private KnownPasswordCheck() {
	}

	/**
	 * Fails if one of the hosts is not this machine and the password is empty, publicly
	 * known, or the name of the user. Names are not resolved: only {@code localhost} and
	 * loopback addresses are this machine.
	 * @param service the product, for the message
	 * @param hosts names or addresses, each with or without a port
	 * @param user the user to whom the password belongs
	 * @param setting the setting that has the password, for the message
	 * @throws KnownPasswordException with a sentence that says what to do
	 */
	public static void check(String service, Collection<String> hosts, @Nullable String user, @Nullable String password,
			String setting) {
		List<String> others = hosts.stream().filter((host) -> !isLoopback(host)).toList();
		if (!others.isEmpty() && isKnown(user, password)) {
			throw new KnownPasswordException("The password of user '" + ((user != null) ? user : "") + "' of " + service
					+ " at " + String.join(", ", others)
					+ " is empty, publicly known, or the name of the user: set another one there and in " + setting
					+ ". Only a server at localhost may have such a password.");
		}
	}

	private static boolean isKnown(@Nullable String user, @Nullable String password) {
		String lower = (password != null) ? password.strip().toLowerCase(Locale.ROOT) : "";
		return KNOWN.contains(lower) || (user != null && lower.equals(user.strip().toLowerCase(Locale.ROOT)));
	}

	private static boolean isLoopback(String host) {
		String name = PORT.matcher(host.strip()).replaceFirst("$1").toLowerCase(Locale.ROOT);
		if (name.startsWith("[") && name.endsWith("]")) {
			name = name.substring(1, name.length() - 1);
		}
		return LOOPBACK.matcher(name).matches();
	}

}
