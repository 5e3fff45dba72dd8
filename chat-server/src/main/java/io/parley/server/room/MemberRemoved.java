package io.parley.server.room;

/**
 * A user is no member of a room any more, and the log may not tell it. Published in the
 * application on the server that removed them.
 *
 * @param by who removed them, or they themselves
 */
public record MemberRemoved(String room, String user, String by) {
}
