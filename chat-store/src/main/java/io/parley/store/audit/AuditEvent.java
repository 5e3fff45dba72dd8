package io.parley.store.audit;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * An entry of the audit log. It contains no text of messages, no tokens and no passwords.
 *
 * @param id the order in which entries were stored; 0 before that
 * @param action a stable name such as {@code user_created}
 * @param actor the user who acted; null if unknown, or if the server acted by itself
 * @param username the user whom the action is about, or null
 * @param address the client address of the actor, or null
 * @param node the server
 * @param detail a JSON object, or null
 */
public record AuditEvent(long id, Instant at, String action, @Nullable String actor, @Nullable String username,
		@Nullable String address, String node, @Nullable String detail) {
}
