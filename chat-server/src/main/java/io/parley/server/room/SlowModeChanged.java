package io.parley.server.room;

/**
 * The slow mode of a room has changed. Published as an application event on the server
 * that stored the change.
 *
 * @param seconds the time between two messages of a member; 0 if slow mode is off
 * @param by who changed it
 */
public record SlowModeChanged(String room, int seconds, String by) {
}
