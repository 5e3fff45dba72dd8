package io.parley.server.presence;

import io.parley.store.presence.PresenceState;

/**
 * A user came online, is away, or went offline, across all servers. One server publishes
 * it when the store shows the change. While the database is unavailable, a user who
 * connects is announced at once.
 */
public record PresenceChanged(String user, PresenceState state) {
}
