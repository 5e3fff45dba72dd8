package io.parley.persistence;

import io.parley.events.EventRecord;

/** An event with its place in the history of its room. */
record NumberedRecord(long position, long prev, long number, EventRecord event) {
}
