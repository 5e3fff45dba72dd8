package io.parley.store.presence;

import java.time.Instant;

/**
 * A session that followed a room and vanished without a word.
 *
 * @param heardAt when something came from it last; what was sent to it later may be lost
 * @param lostAt when it was given up
 */
public record LostSession(String id, String room, String username, Instant heardAt, Instant lostAt) {
}
