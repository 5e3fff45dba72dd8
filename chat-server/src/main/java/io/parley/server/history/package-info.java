/** What happened in a room: the tail of the log in memory, the store behind it. */
@NullMarked
package io.parley.server.history;

import org.jspecify.annotations.NullMarked;
