package io.parley.notification.provider;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class FcmErrorTests {

	@ParameterizedTest
	@ValueSource(strings = { "", "   ", "<html>", "[]", "{}", "null", "{\"error\":1}", "{\"error\":{}}",
			"{\"error\":{\"message\":\"x\",\"details\":3}}",
			"{\"error\":{\"message\":\"x\",\"details\":[{\"fieldViolations\":[{}]}]}}" })
	void ignoresForeignErrorBodies(String body) {
		assertThat(FcmError.parse(body).description()).isEmpty();
		assertThat(FcmError.parse(body).fields()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "Android message is too big", "Message payload exceeds the limit" })
	void doesNotBlameTheTargetForALargeMessage(String description) {
		assertThat(error(description, "").isAboutTarget()).isFalse();
		assertThat(error("The registration token is not valid", "").isAboutTarget()).isTrue();
	}

	@Test
	void doesNotBlameTheTargetWhenAnotherFieldIsWrongToo() {
		assertThat(error("x", "{\"field\":\"message.token\"}").isAboutTarget()).isTrue();
		assertThat(error("x", "{\"field\":\"message.token\"},{\"field\":\"message.data\"}").isAboutTarget()).isFalse();
	}

	@Test
	void removesTheTargetFromTheDescription() {
		assertThat(error("Bad value secret at data", "").description("secret")).isEqualTo("Bad value ... at data");
	}

	private static FcmError error(String description, String violations) {
		return FcmError.parse("""
				{"error":{"message":"%s","details":[{"fieldViolations":[%s]}]}}""".formatted(description, violations));
	}

}
