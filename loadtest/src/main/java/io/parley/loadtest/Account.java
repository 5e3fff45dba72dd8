package io.parley.loadtest;

/**
 * A user of this run and the room that its sessions are in.
 *
 * @param token a JWT for CONNECT
 * @param tokenSeconds how long the token lives
 */
record Account(String username, String token, long tokenSeconds, RoomLedger room) {

}
