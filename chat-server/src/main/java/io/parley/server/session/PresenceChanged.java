package io.parley.server.session;

/**
 * A user came online, or went offline, on all servers together. One server publishes it,
 * when the store shows the change.
 */
public record PresenceChanged(String user, boolean online) {
}
