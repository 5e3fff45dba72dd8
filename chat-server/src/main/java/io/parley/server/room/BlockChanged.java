package io.parley.server.room;

/**
 * One of the two in a direct room has blocked the other, or ended a block. Published in
 * the application on the server that stored it.
 */
public record BlockChanged(String room) {
}
