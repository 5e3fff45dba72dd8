package io.parley.server.hook;

import java.time.Duration;

import jakarta.validation.constraints.Positive;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The program that is asked before a message is accepted.
 *
 * @param url an address with the scheme http or https; without it nobody is asked
 * @param deadline how long an answer may take, with the wait for a free call
 * @param onFailure what becomes of a message without a valid answer
 * @param secret signs the requests; {@code whsec_} and 24 to 64 bytes in Base64
 * @param maxConcurrent calls at the same time; further messages wait
 */
@Validated
@ConfigurationProperties("chat.messages.hook")
record HookProperties(@Nullable String url,
		@DurationMin(millis = 10) @DurationMax(seconds = 10) @DefaultValue("500ms") Duration deadline,
		@DefaultValue("refuse") OnFailure onFailure, @Nullable String secret,
		@Positive @DefaultValue("64") int maxConcurrent) {

	/** The fate of a message about which the program said nothing. */
	enum OnFailure {

		/** The message is accepted. */
		ACCEPT,

		/** The message is refused; its sender may try again. */
		REFUSE

	}

	/** Contains no secret. */
	@Override
	public String toString() {
		return "HookProperties[" + this.deadline + ", " + this.onFailure + "]";
	}

}
