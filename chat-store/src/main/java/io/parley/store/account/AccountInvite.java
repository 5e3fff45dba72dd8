package io.parley.store.account;

import java.time.Instant;

/**
 * A link with which people register. It does not contain the secret.
 *
 * @param maxUses how many accounts may be registered with it
 * @param uses how many were
 */
public record AccountInvite(String id, String createdBy, Instant createdAt, Instant expiresAt, int maxUses, int uses) {
}
