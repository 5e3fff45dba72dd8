package io.parley.loadtest.judge;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The text of a message, or its SHA-256 as hexadecimal digits.
 */
record Content(String value, boolean hashed) {

	/**
	 * Returns the content of a line; null if it has none.
	 */
	static @Nullable Content of(Lines.Line line, JsonNode object) {
		String text = line.text(object, "text");
		if (text != null) {
			return new Content(text, false);
		}
		String hash = line.text(object, "sha256");
		if (hash != null && !hash.matches("[0-9a-fA-F]{64}")) {
			throw line.wrong("has a sha256 that is not 64 hexadecimal digits");
		}
		return (hash != null) ? new Content(hash.toLowerCase(Locale.ROOT), true) : null;
	}

	boolean isOneOf(Set<String> texts) {
		return this.hashed ? texts.stream().map(Content::sha256).anyMatch(this.value::equals)
				: texts.contains(this.value);
	}

	private static String sha256(String text) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
