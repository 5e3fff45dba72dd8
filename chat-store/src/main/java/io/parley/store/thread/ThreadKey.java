package io.parley.store.thread;

import io.parley.store.event.RoomPosition;

/** A user of a thread. */
public record ThreadKey(RoomPosition root, String username) {
}
