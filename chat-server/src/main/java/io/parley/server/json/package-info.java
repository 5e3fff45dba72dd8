/** JSON from clients: one strict set of rules for STOMP and HTTP. */
@NullMarked
package io.parley.server.json;

import org.jspecify.annotations.NullMarked;
