/**
 * Search for the highest level that holds.
 */
@NullMarked
package io.parley.loadtest.capacity;

import org.jspecify.annotations.NullMarked;
