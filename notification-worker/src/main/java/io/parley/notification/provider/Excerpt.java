package io.parley.notification.provider;

/** The start of a text. */
public final class Excerpt {

	private Excerpt() {
	}

	/** So many characters at the most, and none cut in two. */
	public static String of(String text, int maxCharacters) {
		int characters = Math.min(maxCharacters, text.codePointCount(0, text.length()));
		return text.substring(0, text.offsetByCodePoints(0, characters));
	}

}
