package io.parley.store.room;

import java.time.Instant;

/** A user who stays out of a room, and who decided so. */
public record BannedUser(String username, String by, Instant since) {
}
