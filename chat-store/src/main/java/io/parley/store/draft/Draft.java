package io.parley.store.draft;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A text that a user has written for a room or a thread and not sent yet.
 *
 * @param thread the root of the thread; 0 for the room itself
 * @param version grows with each change, also after the draft was removed
 * @param body JSON; null if the draft was removed
 */
public record Draft(String room, long thread, long version, Instant changedAt, @Nullable String body) {
}
