/** The chat server: STOMP, REST, live delivery and the web page. */
@NullMarked
package io.parley.server;

import org.jspecify.annotations.NullMarked;
