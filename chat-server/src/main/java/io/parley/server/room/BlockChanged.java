package io.parley.server.room;

/**
 * One of the two members of a direct room has blocked or unblocked the other. Published
 * as an application event on the server that stored the change.
 */
public record BlockChanged(String room) {
}
