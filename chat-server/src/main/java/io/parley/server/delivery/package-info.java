/** From the log to the sockets: subscriptions, replay and live delivery. */
@NullMarked
package io.parley.server.delivery;

import org.jspecify.annotations.NullMarked;
