/**
 * Counters and histograms of a run.
 */
@NullMarked
package io.parley.loadtest.measure;

import org.jspecify.annotations.NullMarked;
