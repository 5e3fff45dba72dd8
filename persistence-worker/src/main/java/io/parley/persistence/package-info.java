/**
 * The persistence-worker: reads the room log and stores each event in the database
 * exactly once.
 */
@NullMarked
package io.parley.persistence;

import org.jspecify.annotations.NullMarked;
