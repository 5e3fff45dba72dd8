package io.parley.server.account;

import java.time.Duration;
import java.time.Instant;

import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.PositiveOrZero;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * How long a device stays signed in.
 *
 * @param signInIdle a sign-in ends when its tokens were not refreshed for this long
 * @param signInMax a sign-in ends this long after it began, however often it is used
 * @param refreshGrace how long a refresh token is accepted again after its first use,
 * with the same successor, because the answer may have been lost; after that its use ends
 * the sign-in. 0: a refresh token is accepted once
 * @param signInsPerUser maximum number of signed-in devices of a user; one more ends the
 * one that was not used for the longest time. 0: no limit
 */
@Validated
@ConfigurationProperties("chat.security")
record SignInProperties(@DefaultValue("30d") Duration signInIdle, @DefaultValue("90d") Duration signInMax,
		@DefaultValue("10s") Duration refreshGrace, @PositiveOrZero @DefaultValue("50") int signInsPerUser) {

	@AssertTrue(
			message = "chat.security.sign-in-idle and .sign-in-max must be positive, and .refresh-grace not negative")
	boolean isValid() {
		return this.signInIdle.isPositive() && this.signInMax.isPositive() && !this.refreshGrace.isNegative();
	}

	/** Returns when a sign-in ends that began and was last used at these times. */
	Instant expiry(Instant createdAt, Instant usedAt) {
		Instant idle = usedAt.plus(this.signInIdle);
		Instant end = createdAt.plus(this.signInMax);
		return idle.isBefore(end) ? idle : end;
	}

	/**
	 * Returns whether a sign-in has expired. The maximum age may have been lowered since
	 * the expiry was stored.
	 */
	boolean hasExpired(Instant createdAt, Instant expiresAt, Instant now) {
		return !now.isBefore(expiresAt) || !now.isBefore(createdAt.plus(this.signInMax));
	}

	/** Returns the maximum number of sign-ins of a user. */
	int maxSignIns() {
		return (this.signInsPerUser > 0) ? this.signInsPerUser : Integer.MAX_VALUE;
	}

}
