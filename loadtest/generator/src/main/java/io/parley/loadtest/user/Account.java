package io.parley.loadtest.user;

import io.parley.loadtest.check.RoomLedger;

/**
 * A user of this run and the room of its sessions.
 *
 * @param token a JWT for CONNECT
 * @param tokenSeconds the lifetime of the token in seconds
 */
public record Account(String username, String token, long tokenSeconds, RoomLedger room) {

}
