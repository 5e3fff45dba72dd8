/** Exclusive reading of partitions by lease, independent of where the log is stored. */
@NullMarked
package io.parley.log.claim;

import org.jspecify.annotations.NullMarked;
