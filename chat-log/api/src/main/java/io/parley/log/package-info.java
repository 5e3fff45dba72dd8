/**
 * The room log: partitioned, durable, replayable. A port with adapters; nothing here
 * knows what the records mean.
 */
@NullMarked
package io.parley.log;

import org.jspecify.annotations.NullMarked;
