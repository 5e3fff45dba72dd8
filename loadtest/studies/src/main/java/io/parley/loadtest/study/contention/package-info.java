/**
 * A hundred users who compete for the last places of a room at the same moment.
 */
@NullMarked
package io.parley.loadtest.study.contention;

import org.jspecify.annotations.NullMarked;
