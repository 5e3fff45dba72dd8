/**
 * The log in Kafka: one topic, whose partitions are those of the log, and a second one
 * for the leases of its readers. Only {@code trim} removes records.
 */
@NullMarked
package io.parley.log.kafka;

import org.jspecify.annotations.NullMarked;
