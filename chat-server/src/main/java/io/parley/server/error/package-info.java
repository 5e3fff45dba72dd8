/** Stable error codes for STOMP and HTTP, and the limits of request bodies. */
@NullMarked
package io.parley.server.error;

import org.jspecify.annotations.NullMarked;
