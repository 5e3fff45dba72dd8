package io.parley.server.account;

import java.time.Duration;
import java.time.Instant;

import io.parley.store.account.SignIn;
import org.jspecify.annotations.Nullable;

/**
 * A sign-in as this server last read or wrote it.
 *
 * @param generation of the newest refresh token
 * @param rotatedAt when the generation last rose, or null if it never has
 * @param expiresAt when the sign-in ends unless its tokens are refreshed before
 */
record SignInState(String id, String username, long generation, @Nullable Instant rotatedAt, Instant createdAt,
		Instant expiresAt, boolean ended) {

	static SignInState of(SignIn row) {
		return new SignInState(row.getId(), row.getUsername(), row.getGeneration(), row.getRotatedAt(),
				row.getCreatedAt(), row.getExpiresAt(), row.getEndedAt() != null);
	}

	SignInState rotated(long generation, Instant now, Instant expiresAt) {
		return new SignInState(this.id, this.username, generation, now, this.createdAt, expiresAt, false);
	}

	/**
	 * Returns whether a refresh token is the one right before the newest, and was spent
	 * so recently that its answer may have been lost.
	 */
	boolean isRepeated(long tokenGeneration, Instant now, Duration grace) {
		return tokenGeneration == this.generation - 1 && this.rotatedAt != null
				&& now.isBefore(this.rotatedAt.plus(grace));
	}

	/**
	 * Returns whether a refresh token is the newest one. A token of a higher generation
	 * was issued while the database was unavailable.
	 */
	boolean isNewest(long tokenGeneration) {
		return tokenGeneration >= this.generation;
	}

}
