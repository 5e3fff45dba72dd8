package io.parley.store.account;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Tokens of an external issuer that are refused although they have not expired.
 *
 * @param id of the sign-in that has ended, or a key that stands for all sign-ins of the
 * user
 * @param issuedUntil tokens that were issued later are not refused
 * @param kept the id of a sign-in that is not affected, or null
 * @param endedAt when this was stored
 * @param expiresAt when the last of these tokens has expired
 */
public record ExternalSignOut(String id, String username, Instant issuedUntil, @Nullable String kept, Instant endedAt,
		Instant expiresAt) {
}
