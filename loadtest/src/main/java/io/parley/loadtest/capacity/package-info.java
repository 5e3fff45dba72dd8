/** Finds the highest level that holds, and what stops the next one. */
@NullMarked
package io.parley.loadtest.capacity;

import org.jspecify.annotations.NullMarked;
