package io.parley.store.room;

/** A room of a user, and the role of the user in it. */
public record JoinedRoom(Room room, RoomRole role) {
}
