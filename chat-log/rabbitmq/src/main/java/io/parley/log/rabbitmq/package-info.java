/**
 * The log in RabbitMQ: one stream per partition, through the stream client. A record
 * counts as appended once this process has read it back with its offset.
 */
@NullMarked
package io.parley.log.rabbitmq;

import org.jspecify.annotations.NullMarked;
