/**
 * The path of a message from SEND to the log, and what goes with it: typing and reading.
 */
@NullMarked
package io.parley.server.message;

import org.jspecify.annotations.NullMarked;
