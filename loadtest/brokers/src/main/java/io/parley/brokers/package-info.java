/** STOMP brokers in a process of their own, for the load kit. */
@NullMarked
package io.parley.brokers;

import org.jspecify.annotations.NullMarked;
