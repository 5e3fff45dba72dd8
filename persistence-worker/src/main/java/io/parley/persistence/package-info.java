/** Reads the room log and stores it in the database, each event exactly once. */
@NullMarked
package io.parley.persistence;

import org.jspecify.annotations.NullMarked;
