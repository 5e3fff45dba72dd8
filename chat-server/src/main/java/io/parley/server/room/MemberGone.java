package io.parley.server.room;

/**
 * A member left a room or was removed, and the log reports it. Published as an
 * application event on the server that removed the member.
 */
public record MemberGone(String room) {
}
