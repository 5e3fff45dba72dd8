package io.parley.notification.provider;

/** Truncates texts. */
public final class Excerpt {

	private Excerpt() {
	}

	/** Returns the start of a text: at most that many code points, none of them split. */
	public static String of(String text, int maxCharacters) {
		int characters = Math.min(maxCharacters, text.codePointCount(0, text.length()));
		return text.substring(0, text.offsetByCodePoints(0, characters));
	}

}
