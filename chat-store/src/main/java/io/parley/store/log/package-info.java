/**
 * Offsets of the readers of the room log, its epochs and its record format, and parked
 * records.
 */
@NullMarked
package io.parley.store.log;

import org.jspecify.annotations.NullMarked;
