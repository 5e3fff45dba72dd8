package io.parley.notification;

import java.time.Instant;

import io.parley.events.MessagePosted;

/**
 * A message and its place in its room.
 *
 * @param sentAt when it was sent, but not after it was read, whatever the clock of its
 * server said
 */
record PositionedMessage(MessagePosted message, long position, Instant sentAt) {
}
