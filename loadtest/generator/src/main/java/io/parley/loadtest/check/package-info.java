/**
 * Checks of the deliveries of a room.
 */
@NullMarked
package io.parley.loadtest.check;

import org.jspecify.annotations.NullMarked;
