/** Code that the metrics of several packages share. */
@NullMarked
package io.parley.server.metrics;

import org.jspecify.annotations.NullMarked;
