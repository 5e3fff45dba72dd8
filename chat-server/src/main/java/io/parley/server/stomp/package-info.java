/** The front door: STOMP frames in and out, one handler for each command. */
@NullMarked
package io.parley.server.stomp;

import org.jspecify.annotations.NullMarked;
