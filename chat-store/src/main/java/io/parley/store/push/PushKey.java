package io.parley.store.push;

/** What tasks and decisions are about: a user in a room. */
public record PushKey(String username, String room) {
}
