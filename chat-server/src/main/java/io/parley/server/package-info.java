/** The chat server: STOMP, REST, live delivery and the page. */
@NullMarked
package io.parley.server;

import org.jspecify.annotations.NullMarked;
