/** Rooms and their members. */
@NullMarked
package io.parley.server.room;

import org.jspecify.annotations.NullMarked;
