/**
 * The chat of Spring's tutorials with default settings, the baseline that Parley is
 * compared with.
 */
@NullMarked
package io.parley.baseline;

import org.jspecify.annotations.NullMarked;
