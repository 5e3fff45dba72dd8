package io.parley.store.push;

import java.io.Serializable;

/** The subject of tasks and decisions: a user in a room. */
public record PushKey(String username, String room) implements Serializable {
}
