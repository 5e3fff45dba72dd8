package io.parley.server.account;

import java.security.SecureRandom;
import java.text.Normalizer;

import org.jspecify.annotations.Nullable;

/** Makes user names of what an issuer calls a user. Immutable. */
final class WishedName {

	private static final int MAX_LENGTH = 32;

	/** More of a text cannot matter. */
	private static final int MAX_READ = 256;

	private static final int NUMBERED = 9;

	private static final String DIGITS = "abcdefghijkmnpqrstuvwxyz23456789";

	private static final SecureRandom RANDOM = new SecureRandom();

	private final String base;

	WishedName(@Nullable String wish) {
		this.base = sanitize((wish != null) ? wish : "");
	}

	private static String sanitize(String wish) {
		String start = wish.substring(0, Math.min(wish.length(), MAX_READ));
		String name = Normalizer.normalize(start, Normalizer.Form.NFKD)
			.replaceAll("\\p{M}+", "")
			.replaceAll("[^A-Za-z0-9._-]+", "-")
			.replaceAll("^[-.]+", "");
		name = name.substring(0, Math.min(name.length(), MAX_LENGTH)).replaceAll("[-.]+$", "");
		return name.isEmpty() ? "user" : name;
	}

	/**
	 * Returns a valid name: the wished one, then ones with a number, then ones with a
	 * random suffix.
	 */
	String candidate(int attempt) {
		if (attempt == 0) {
			return this.base;
		}
		return withSuffix((attempt < NUMBERED) ? "-" + (attempt + 1) : "-" + random());
	}

	private String withSuffix(String suffix) {
		return this.base.substring(0, Math.min(this.base.length(), MAX_LENGTH - suffix.length())) + suffix;
	}

	private static String random() {
		return RANDOM.ints(8, 0, DIGITS.length())
			.mapToObj(DIGITS::charAt)
			.collect(StringBuilder::new, StringBuilder::append, StringBuilder::append)
			.toString();
	}

}
