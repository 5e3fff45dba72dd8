/** WebSockets of Jetty, and the outbox in front of each. */
@NullMarked
package io.parley.server.websocket;

import org.jspecify.annotations.NullMarked;
