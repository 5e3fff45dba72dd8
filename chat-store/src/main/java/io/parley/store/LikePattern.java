package io.parley.store;

import java.util.Locale;

/** Patterns of LIKE, with {@code !} as escape character. */
public final class LikePattern {

	private LikePattern() {
	}

	/**
	 * Returns a pattern in lower case for texts that contain this one, whatever its case.
	 */
	public static String containing(String text) {
		return "%" + text.toLowerCase(Locale.ROOT).replaceAll("[!%_]", "!$0") + "%";
	}

}
