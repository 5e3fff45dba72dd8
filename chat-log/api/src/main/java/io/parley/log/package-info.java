/**
 * The room log: partitioned, durable and replayable. A port with several adapters,
 * independent of the content of the records.
 */
@NullMarked
package io.parley.log;

import org.jspecify.annotations.NullMarked;
