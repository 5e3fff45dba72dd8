/** Readers that take turns, whatever keeps the log. */
@NullMarked
package io.parley.log.claim;

import org.jspecify.annotations.NullMarked;
