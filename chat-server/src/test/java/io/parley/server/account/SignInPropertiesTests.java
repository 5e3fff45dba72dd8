package io.parley.server.account;

import java.time.Duration;
import java.time.Instant;

import jakarta.validation.Validation;
import jakarta.validation.ValidatorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class SignInPropertiesTests {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private static SignInProperties properties(Duration idle, Duration max, Duration grace, int perUser) {
		return new SignInProperties(idle, max, grace, perUser);
	}

	@Test
	void endsAtTheIdleTimeOrTheMaximumAgeWhateverComesFirst() {
		SignInProperties properties = properties(Duration.ofDays(30), Duration.ofDays(90), Duration.ZERO, 50);
		assertThat(properties.expiry(START, START)).isEqualTo(START.plus(Duration.ofDays(30)));
		assertThat(properties.expiry(START, START.plus(Duration.ofDays(59))))
			.isEqualTo(START.plus(Duration.ofDays(89)));
		assertThat(properties.expiry(START, START.plus(Duration.ofDays(61))))
			.isEqualTo(START.plus(Duration.ofDays(90)));
	}

	@Test
	void zeroSignInsAreNoLimit() {
		assertThat(properties(Duration.ofDays(1), Duration.ofDays(1), Duration.ZERO, 0).maxSignIns())
			.isEqualTo(Integer.MAX_VALUE);
		assertThat(properties(Duration.ofDays(1), Duration.ofDays(1), Duration.ZERO, 3).maxSignIns()).isEqualTo(3);
	}

	@ParameterizedTest
	@CsvSource({ "PT1S,PT1S,PT0S,0,0", "PT0S,PT1S,PT0S,0,1", "PT1S,PT0S,PT0S,0,1", "PT1S,PT1S,PT-1S,0,1",
			"PT1S,PT1S,PT0S,-1,1" })
	void refusesImpossibleValues(Duration idle, Duration max, Duration grace, int perUser, int violations) {
		try (ValidatorFactory factory = Validation.buildDefaultValidatorFactory()) {
			assertThat(factory.getValidator().validate(properties(idle, max, grace, perUser))).hasSize(violations);
		}
	}

}
