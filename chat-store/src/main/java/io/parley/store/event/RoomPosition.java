package io.parley.store.event;

/** A position in a room. */
public record RoomPosition(String room, long position) {
}
