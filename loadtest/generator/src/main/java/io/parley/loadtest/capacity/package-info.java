/**
 * The command {@code capacity}: the maximum number of users or sessions.
 */
@NullMarked
package io.parley.loadtest.capacity;

import org.jspecify.annotations.NullMarked;
