/**
 * The command {@code idle}: many sessions under a low message rate.
 */
@NullMarked
package io.parley.loadtest.idle;

import org.jspecify.annotations.NullMarked;
