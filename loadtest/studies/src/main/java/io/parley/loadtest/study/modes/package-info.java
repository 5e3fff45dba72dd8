/**
 * Comparison of the fan-out modes.
 */
@NullMarked
package io.parley.loadtest.study.modes;

import org.jspecify.annotations.NullMarked;
