/** The STOMP broker outside, for {@code chat.broker.mode=relay}. */
@NullMarked
package io.parley.server.broker;

import org.jspecify.annotations.NullMarked;
