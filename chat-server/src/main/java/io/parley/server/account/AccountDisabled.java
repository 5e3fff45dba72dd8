package io.parley.server.account;

/**
 * An account was disabled and cannot be used any more. Published as an application event
 * on the server that stored the change.
 */
public record AccountDisabled(String username) {
}
