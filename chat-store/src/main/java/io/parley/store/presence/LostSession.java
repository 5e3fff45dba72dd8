package io.parley.store.presence;

import java.time.Instant;

/**
 * A session that followed a room and vanished without closing.
 *
 * @param heardAt when the server last received something from it; anything sent to it
 * later may be lost
 * @param lostAt when the server gave it up
 */
public record LostSession(String id, String room, String username, Instant heardAt, Instant lostAt) {
}
