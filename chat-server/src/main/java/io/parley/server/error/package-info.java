/** Saying no: stable codes, over STOMP and over HTTP. */
@NullMarked
package io.parley.server.error;

import org.jspecify.annotations.NullMarked;
