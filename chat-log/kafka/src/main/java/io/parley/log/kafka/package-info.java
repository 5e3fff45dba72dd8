/**
 * The log in Kafka: one topic, whose partitions are those of the log, and a second one
 * for the turns of its readers. Records are removed by {@code trim} alone.
 */
@NullMarked
package io.parley.log.kafka;

import org.jspecify.annotations.NullMarked;
