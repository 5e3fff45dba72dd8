package io.parley.persistence;

import io.parley.events.EventRecord;

/** An event with its position and number in the history of its room. */
record NumberedRecord(long position, long prev, long number, EventRecord event) {
}
