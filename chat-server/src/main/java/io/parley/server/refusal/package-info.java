/** Saying no: stable codes, over STOMP and over HTTP. */
@NullMarked
package io.parley.server.refusal;

import org.jspecify.annotations.NullMarked;
