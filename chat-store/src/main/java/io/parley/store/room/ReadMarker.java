package io.parley.store.room;

/** The position up to and including which a user has read a room. */
public record ReadMarker(String room, String username, long position) {
}
