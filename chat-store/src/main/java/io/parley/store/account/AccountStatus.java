package io.parley.store.account;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The state of an account and whether it is an operator's.
 *
 * @param changedAt when one of the two last changed; null if they never did
 */
public record AccountStatus(String username, AccountState state, boolean operator, @Nullable Instant changedAt) {
}
