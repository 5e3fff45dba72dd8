package io.parley.server.room;

import java.time.Instant;

import io.parley.store.room.RoomRole;
import org.jspecify.annotations.Nullable;

/**
 * The role of a member or their mute has changed. Published as an application event on
 * the server that stored the change.
 *
 * @param mutedUntil null if the member is not muted
 * @param by who changed it
 */
public record MemberChanged(String room, String user, RoomRole role, @Nullable Instant mutedUntil, String by) {
}
