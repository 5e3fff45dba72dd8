package io.parley.notification;

import io.parley.events.MessagePosted;

/** A message and its place in its room. */
record PlacedMessage(MessagePosted message, long position) {
}
