package io.parley.server.room;

import io.parley.store.room.RoomKind;

/**
 * A user became a member of a {@linkplain LargeRooms large} room; the log does not report
 * it. Published as an application event on the server that added the user.
 *
 * @param name the name of the room
 * @param by who added the user; the same user if they joined
 */
public record MemberAdded(String room, String name, RoomKind kind, String user, String by) {
}
