/**
 * STOMP frames over WebSocket connections.
 */
@NullMarked
package io.parley.loadtest.stomp;

import org.jspecify.annotations.NullMarked;
