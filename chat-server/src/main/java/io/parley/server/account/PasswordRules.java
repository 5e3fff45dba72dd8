package io.parley.server.account;

import java.util.Locale;

import io.parley.server.error.ErrorCode;

import org.springframework.security.authentication.password.CompromisedPasswordChecker;
import org.springframework.stereotype.Component;

/**
 * Checks new passwords. A password is used exactly as sent, and no composition rules
 * apply.
 */
@Component
class PasswordRules {

	static final int MAX_CHARACTERS = 256;

	private final int minCharacters;

	private final CompromisedPasswordChecker common;

	PasswordRules(PasswordProperties properties, CompromisedPasswordChecker common) {
		this.minCharacters = properties.passwordLength();
		this.common = common;
	}

	/**
	 * Requires a password that is neither too short, too long nor easy to guess.
	 * @throws io.parley.server.error.ChatException {@code bad-request} if it breaks a
	 * rule; the message says how to choose a better one
	 */
	void require(String username, String password) {
		int characters = password.codePointCount(0, password.length());
		if (characters < this.minCharacters || characters > MAX_CHARACTERS) {
			throw ErrorCode.BAD_REQUEST.because("'password' must have " + this.minCharacters + " to " + MAX_CHARACTERS
					+ " characters; several words are easy to remember.");
		}
		if (password.codePoints().anyMatch((point) -> point == 0 || isSurrogate(point))) {
			throw ErrorCode.BAD_REQUEST.because("'password' contains characters that are not text; choose another.");
		}
		if (this.common.check(password).isCompromised() || isName(username, password)) {
			throw ErrorCode.BAD_REQUEST
				.because("'password' is one of the first that an attacker tries; choose another.");
		}
	}

	/** Whether the code point is a surrogate that is not part of a pair. */
	private static boolean isSurrogate(int codePoint) {
		return codePoint <= Character.MAX_VALUE && Character.isSurrogate((char) codePoint);
	}

	/**
	 * Whether the letters of the password are the user name, once or repeated; digits and
	 * signs are ignored.
	 */
	private static boolean isName(String username, String password) {
		String name = letters(username);
		String letters = letters(password);
		return !name.isEmpty() && !letters.isEmpty() && letters.replace(name, "").isEmpty();
	}

	private static String letters(String text) {
		return text.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}]", "");
	}

}
