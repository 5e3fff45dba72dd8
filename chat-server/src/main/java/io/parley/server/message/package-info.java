/** The path of a message from SEND to the log, and the signals for typing and reading. */
@NullMarked
package io.parley.server.message;

import org.jspecify.annotations.NullMarked;
