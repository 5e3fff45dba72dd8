/** What happened in a room: the tail of the log in memory, the store behind it. */
@NullMarked
package io.parley.server.timeline;

import org.jspecify.annotations.NullMarked;
