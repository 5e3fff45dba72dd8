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
			":party_parrot-2+:", ":012345678901234567890123456789:" })
	void acceptsAnEmojiOrAName(String key) {
		assertThat(ReactionDraft.of(5, key, true).key()).isEqualTo(key);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a", "1", "#", "\u2764", "\u200d", "\ufe0f", "\ud83c\uddf0", "\ud83c\udffd",
			"\ud83d\udc4d\ud83d\udc4d", "\ud83d\udc4da", "\ud83d\udc4d ", "\ud83d\udc4d\u0301", "::", ":A:", ":a b:",
			":a", "a:", ":\u00fc:", ":0123456789012345678901234567890:", ":a:\n", "\ud83d", "\u0000", "<b>" })
	void refusesEverythingElse(String key) {
		assertThatThrownBy(() -> ReactionDraft.of(5, key, true)).isInstanceOf(ChatException.class);
	}

}
