/**
 * STOMP brokers in a separate process, for the load kit.
 */
@NullMarked
package io.parley.brokers;

import org.jspecify.annotations.NullMarked;
