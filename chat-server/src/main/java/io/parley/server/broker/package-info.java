/** The external STOMP broker, for {@code chat.broker.mode=relay}. */
@NullMarked
package io.parley.server.broker;

import org.jspecify.annotations.NullMarked;
