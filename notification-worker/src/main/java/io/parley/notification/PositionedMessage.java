package io.parley.notification;

import java.time.Instant;

import io.parley.events.MessagePosted;

/**
 * A message and its position in its room.
 *
 * @param sentAt when it was sent, but not later than when it was read, whatever the clock
 * of its server says
 */
record PositionedMessage(MessagePosted message, long position, Instant sentAt) {
}
