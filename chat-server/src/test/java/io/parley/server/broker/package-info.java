/** Real STOMP brokers for tests. */
@NullMarked
package io.parley.server.broker;

import org.jspecify.annotations.NullMarked;
