package io.parley.store.room;

/** Names a member of a room. */
public record MemberName(String room, String username) {
}
