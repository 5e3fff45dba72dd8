package io.parley.store.account;

/** A sign-in that has ended. */
public record EndedSignIn(String id, String username) {
}
