/**
 * The events of a room: the tail of the log in memory, backed by the store and the log.
 */
@NullMarked
package io.parley.server.timeline;

import org.jspecify.annotations.NullMarked;
