package io.parley.server.message;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
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
 * @param key one emoji, or a name between colons
 * @param on whether the user gives the reaction, or takes it back
 * @param clientId 1 to 64 characters; null for none
 */
record ReactionDraft(long target, String key, boolean on, @Nullable String clientId) {

	private static final int MAX_BYTES = 32;

	private static final Pattern NAME = Pattern.compile(":[a-z0-9_+-]{1,30}:");

	/** What a reader sees as one character. */
	private static final Pattern CHARACTER = Pattern.compile("\\X");

	/** Makes a character that is usually text an emoji. */
	private static final int EMOJI_STYLE = 0xFE0F;

	/** Reads a reaction from the fields of a SEND. */
	static ReactionDraft of(Map<String, JsonField> fields) {
		ChangeDraft.requireOnly(fields, Set.of("clientId", "target", "key", "on"));
		JsonField on = fields.get("on");
		if (on == null || !(on.raw().equals("true") || on.raw().equals("false"))) {
			throw ErrorCode.BAD_MESSAGE.because("'on' must be true or false.");
		}
		return new ReactionDraft(ChangeDraft.target(fields, null), requireKey(MessageDraft.text(fields, "key")),
				on.raw().equals("true"),
				ChangeDraft.isPresent(fields.get("clientId")) ? MessageDraft.requiredClientId(fields) : null);
	}

	/** Reads a reaction from a path. */
	static ReactionDraft of(long target, String key, boolean on) {
		return new ReactionDraft(target, requireKey(key), on, null);
	}

	Reaction.Change change(String user) {
		return new Reaction.Change(new Reaction(user, this.key), this.on);
	}

	private static String requireKey(String key) {
		if (key.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES || !(NAME.matcher(key).matches() || isEmoji(key))) {
			throw ErrorCode.BAD_MESSAGE
				.because("'key' must be one emoji, or a name such as :party:, of at most " + MAX_BYTES + " bytes.");
		}
		return key;
	}

	private static boolean isEmoji(String key) {
		if (!CHARACTER.matcher(key).matches() || !Normalizer.isNormalized(key, Normalizer.Form.NFC)) {
			return false;
		}
		int[] codePoints = key.codePoints().toArray();
		boolean onlyEmoji = key.codePoints()
			.allMatch((codePoint) -> Character.isEmoji(codePoint) || Character.isEmojiComponent(codePoint));
		boolean halfFlag = codePoints.length == 1 && Character.isEmojiComponent(codePoints[0]);
		boolean shownAsEmoji = Character.isEmojiPresentation(codePoints[0])
				|| (codePoints.length > 1 && codePoints[1] == EMOJI_STYLE && Character.isEmoji(codePoints[0]));
		return onlyEmoji && shownAsEmoji && !halfFlag;
	}

}
