package io.parley.server.room;

/**
 * A user is no longer a member of a room, and the log may not report it. Published as an
 * application event on the server that removed the user.
 *
 * @param by who removed the user; the same user if they left
 */
public record MemberRemoved(String room, String user, String by) {
}
