/**
 * Comparison of reading the history with and without pooled database connections.
 */
@NullMarked
package io.parley.loadtest.study.pooling;

import org.jspecify.annotations.NullMarked;
