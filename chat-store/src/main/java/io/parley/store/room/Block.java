package io.parley.store.room;

import java.time.Instant;

/** A user whom another user has blocked, and the time of the block. */
public record Block(String username, Instant since) {
}
