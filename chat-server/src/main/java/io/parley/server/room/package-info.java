/** Rooms and who is in them. */
@NullMarked
package io.parley.server.room;

import org.jspecify.annotations.NullMarked;
