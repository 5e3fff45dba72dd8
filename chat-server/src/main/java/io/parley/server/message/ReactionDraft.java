package io.parley.server.message;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import io.parley.events.Reaction;
import io.parley.server.error.ErrorCode;
import io.parley.server.json.JsonField;
import org.jspecify.annotations.Nullable;

/**
 * A reaction as sent by a client.
 *
 * @param target the position of the message
 * @param key one emoji in its fully qualified form, or a name between colons
 * @param on whether the user gives the reaction, or takes it back
 * @param clientId 1 to 64 characters; null for none
 */
record ReactionDraft(long target, String key, boolean on, @Nullable String clientId) {

	private static final int MAX_BYTES = 32;

	private static final Pattern NAME = Pattern.compile(":[a-z0-9_+-]{1,30}:");

	private static final Pattern EMOJI = emoji();

	/** Reads a reaction from the fields of a SEND. */
	static ReactionDraft of(Map<String, JsonField> fields) {
		ChangeDraft.requireOnly(fields, Set.of("clientId", "target", "key", "on"));
		return new ReactionDraft(ChangeDraft.target(fields, null), requireKey(MessageDraft.text(fields, "key")),
				PinDraft.requiredOn(fields),
				ChangeDraft.isPresent(fields.get("clientId")) ? MessageDraft.requiredClientId(fields) : null);
	}

	/** Reads a reaction from a path. */
	static ReactionDraft of(long target, String key, boolean on) {
		return new ReactionDraft(target, requireKey(key), on, null);
	}

	Reaction.Change change(String user) {
		return new Reaction.Change(new Reaction(user, this.key), this.on);
	}

	/**
	 * Returns the pattern of emoji in the form that keyboards send, so that no two keys
	 * look alike: the variation selector follows a character that is usually text, and no
	 * other; a skin tone follows a character that has one. Source: UTS #51, section
	 * 1.4.9, where this form is called fully qualified.
	 */
	private static Pattern emoji() {
		String tones = "\\x{1F3FB}-\\x{1F3FF}";
		String letters = "\\x{1F1E6}-\\x{1F1FF}";
		String toned = "\\p{IsEmoji_Modifier_Base}[" + tones + "]";
		String shown = "[\\p{IsEmoji_Presentation}&&[^" + tones + letters + "]]";
		String usuallyText = "[\\p{IsEmoji}&&[^\\p{IsEmoji_Presentation}0-9#*]]\\x{FE0F}";
		String one = "(?:" + toned + "|" + shown + "|" + usuallyText + ")";
		String keycap = "[0-9#*]\\x{FE0F}\\x{20E3}";
		String flag = "[" + letters + "]{2}";
		// England, Scotland and Wales.
		String flagOfRegion = "\\x{1F3F4}\\x{E0067}\\x{E0062}(?:\\x{E0065}\\x{E006E}\\x{E0067}"
				+ "|\\x{E0073}\\x{E0063}\\x{E0074}|\\x{E0077}\\x{E006C}\\x{E0073})\\x{E007F}";
		return Pattern.compile(one + "(?:\\x{200D}" + one + ")*|" + keycap + "|" + flag + "|" + flagOfRegion);
	}

	private static String requireKey(String key) {
		if (key.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES
				|| !(NAME.matcher(key).matches() || EMOJI.matcher(key).matches())) {
			throw ErrorCode.BAD_MESSAGE
				.because("'key' must be one emoji as keyboards send it, or a name such as :party:, of at most "
						+ MAX_BYTES + " bytes.");
		}
		return key;
	}

}
