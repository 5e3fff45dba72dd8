package io.parley.store.room;

/** A user has read a room up to and including a position. */
public record ReadMarker(String room, String username, long position) {
}
