package io.parley.server.json;

import java.nio.charset.StandardCharsets;

import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class StrictJsonTests {

	private static final StrictJson STRICT = withMessages(16_384);

	@ParameterizedTest
	@CsvSource({ "1, 32768", "16384, 32768", "32769, 32769", "100000, 100000" })
	void acceptsStringsAsLongAsTheLongestMessage(int messageBytes, int allowed) {
		StrictJson strict = withMessages(messageBytes);
		assertThat(read(strict, string(allowed))).hasSize(allowed);
		assertThatExceptionOfType(ChatException.class).isThrownBy(() -> read(strict, string(allowed + 1)))
			.withMessageContaining(String.valueOf(allowed));
	}

	@Test
	void acceptsStringsOfAnyLengthWithoutALimit() {
		assertThat(read(withMessages(0), string(1_000_000))).hasSize(1_000_000);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "null", "1", "[]", "\"a\"", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":[",
			"{\"a\":1,}", "{\"a\":1}}", "{\"a\":1}]", "{a:1}", "{\"a\":tru}", "{\"a\":-}", "{\"a\":1.}", "{\"a\":.5}",
			"{\"a\":1e}", "{\"a\":0x1}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12\"}", "\ufeff{}" })
	void refusesAnythingButAnObject(String body) {
		assertThatExceptionOfType(ChatException.class)
			.isThrownBy(() -> STRICT.read(body.getBytes(StandardCharsets.UTF_8), ErrorCode.BAD_REQUEST))
			.withMessage("The body must be one JSON object, in which no name comes twice.");
	}

	private static StrictJson withMessages(int bytes) {
		return new StrictJson(bytes);
	}

	private static String string(int length) {
		return "{\"a\":\"" + "x".repeat(length) + "\"}";
	}

	private static String read(StrictJson strict, String body) {
		return String
			.valueOf(strict.read(body.getBytes(StandardCharsets.UTF_8), ErrorCode.BAD_REQUEST).get("a").string());
	}

}
