/** Parsing of client JSON, with the same strict rules for STOMP and HTTP. */
@NullMarked
package io.parley.server.json;

import org.jspecify.annotations.NullMarked;
