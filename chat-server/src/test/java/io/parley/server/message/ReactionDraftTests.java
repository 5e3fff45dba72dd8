package io.parley.server.message;

import io.parley.server.error.ChatException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ReactionDraftTests {

	@ParameterizedTest
	@ValueSource(strings = { "\ud83d\udc4d", "\ud83d\udc4d\ud83c\udffd", "\u2764\ufe0f", "1\ufe0f\u20e3",
			"\ud83c\uddf0\ud83c\uddf7", "\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67\u200d\ud83d\udc66", ":a:",
			"\u261d\ud83c\udffd", "\ud83d\udc68\u200d\ud83e\uddb0", "\u2764\ufe0f\u200d\ud83d\udd25",
			"\ud83d\udc69\ud83c\udffd\u200d\u2695\ufe0f", "\u00a9\ufe0f",
			"\ud83c\udff4\udb40\udc67\udb40\udc62\udb40\udc65\udb40\udc6e\udb40\udc67\udb40\udc7f", ":party_parrot-2+:",
			":012345678901234567890123456789:" })
	void acceptsAnEmojiOrAName(String key) {
		assertThat(ReactionDraft.of(5, key, true).key()).isEqualTo(key);
	}

	/** Each would be another reaction that looks like a thumb, a heart or a number. */
	@ParameterizedTest
	@ValueSource(strings = { "\ud83d\udc4d\ufe0f", "\ud83d\udc4d\ufe0e", "\ud83d\udc4d\u200d", "\u200d\ud83d\udc4d",
			"\ud83d\udc4d\udb40\udc67", "\ud83d\udc4d\udb40\udc67\udb40\udc7f", "\ud83d\udc4d\ud83c\udffd\ud83c\udffd",
			"\ud83d\udc4d\ufe0f\ud83c\udffd", "\ud83d\udc4d\ud83c\udffd\ufe0f", "\u2764\ufe0f\ufe0f", "\u2764\ufe0e",
			"\u2764\ud83c\udffd", "1\ufe0f", "1\u20e3", "1\ufe0e\u20e3", "#\ufe0f",
			"\ud83c\udff4\udb40\udc67\udb40\udc62\udb40\udc7f", "\ud83c\uddf0\ud83c\uddf7\ufe0f" })
	void refusesLookAlikes(String key) {
		assertThatThrownBy(() -> ReactionDraft.of(5, key, true)).isInstanceOf(ChatException.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a", "1", "#", "\u2764", "\u200d", "\ufe0f", "\ud83c\uddf0", "\ud83c\udffd",
			"\ud83d\udc4d\ud83d\udc4d", "\ud83d\udc4da", "\ud83d\udc4d ", "\ud83d\udc4d\u0301", "::", ":A:", ":a b:",
			":a", "a:", ":\u00fc:", ":0123456789012345678901234567890:", ":a:\n", "\ud83d", "\u0000", "<b>" })
	void refusesEverythingElse(String key) {
		assertThatThrownBy(() -> ReactionDraft.of(5, key, true)).isInstanceOf(ChatException.class);
	}

}
