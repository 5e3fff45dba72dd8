/** Delivery from the log to the sockets: subscriptions, replay and live events. */
@NullMarked
package io.parley.server.delivery;

import org.jspecify.annotations.NullMarked;
