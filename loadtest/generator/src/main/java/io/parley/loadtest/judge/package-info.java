/**
 * Compares what any client sent and showed with the history of a room.
 */
@NullMarked
package io.parley.loadtest.judge;

import org.jspecify.annotations.NullMarked;
