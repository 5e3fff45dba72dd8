package io.parley.notification;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the users whom a text mentions: {@code @} and the username, not inside a word.
 */
final class NamesInText {

	private static final Pattern MENTION = Pattern.compile("(?<![\\w@.-])@([A-Za-z0-9._-]{1,64})");

	private NamesInText() {
	}

	/**
	 * Returns the usernames, each with and without the punctuation that may end a
	 * sentence.
	 */
	static Set<String> in(String text) {
		if (text.indexOf('@') < 0) {
			return Set.of();
		}
		Set<String> names = new HashSet<>();
		Matcher matcher = MENTION.matcher(text);
		while (matcher.find()) {
			String name = matcher.group(1);
			names.add(name);
			names.add(name.replaceAll("[._-]+$", ""));
		}
		return names;
	}

}
