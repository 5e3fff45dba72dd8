package io.parley.server.account;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;
import org.springframework.security.authentication.password.CompromisedPasswordChecker;
import org.springframework.security.authentication.password.CompromisedPasswordDecision;
import org.springframework.stereotype.Component;

/**
 * Recognises passwords that attackers try first: those on a list, short repeated
 * patterns, and alphabetical or keyboard sequences. Calls no external service.
 */
@Component
class CommonPasswords implements CompromisedPasswordChecker {

	/**
	 * Maximum length of a repeated pattern; only longer passwords are checked for
	 * sequences.
	 */
	private static final int MAX_PATTERN_LENGTH = 5;

	private static final String[] SEQUENCES = { "abcdefghijklmnopqrstuvwxyz", "0123456789",
			"qwertyuiopasdfghjklzxcvbnm", "qwertzuiopasdfghjklyxcvbnm", "azertyuiopqsdfghjklmwxcvbn",
			"1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p" };

	private final Set<String> listed;

	CommonPasswords() {
		try {
			this.listed = new ClassPathResource("common-passwords.txt").getContentAsString(StandardCharsets.UTF_8)
				.lines()
				.map(CommonPasswords::normalize)
				.filter((line) -> !line.isEmpty() && !line.startsWith("#"))
				.collect(Collectors.toUnmodifiableSet());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public CompromisedPasswordDecision check(@Nullable String password) {
		String normalized = (password != null) ? normalize(password) : "";
		return new CompromisedPasswordDecision(
				this.listed.contains(normalized) || isRepetition(normalized) || isSequence(normalized));
	}

	private static String normalize(String password) {
		return password.strip().toLowerCase(Locale.ROOT);
	}

	private static boolean isRepetition(String password) {
		for (int length = 1; length <= Math.min(MAX_PATTERN_LENGTH, password.length() / 2); length++) {
			String part = password.substring(0, length);
			if (part.repeat(password.length() / length + 1).startsWith(password)) {
				return true;
			}
		}
		return false;
	}

	private static boolean isSequence(String password) {
		for (String sequence : SEQUENCES) {
			String forwards = sequence.repeat(password.length() / sequence.length() + 2);
			String backwards = new StringBuilder(forwards).reverse().toString();
			if (password.length() > MAX_PATTERN_LENGTH
					&& (forwards.contains(password) || backwards.contains(password))) {
				return true;
			}
		}
		return false;
	}

}
