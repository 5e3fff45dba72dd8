/** The STOMP endpoint: inbound and outbound frames, with one handler for each command. */
@NullMarked
package io.parley.server.stomp;

import org.jspecify.annotations.NullMarked;
