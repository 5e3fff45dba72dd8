package io.parley.server.room;

/**
 * One of two users has blocked or unblocked the other. Published as an application event
 * on the server that stored the change.
 *
 * @param room their direct room
 */
public record BlockChanged(String room, String one, String other) {
}
