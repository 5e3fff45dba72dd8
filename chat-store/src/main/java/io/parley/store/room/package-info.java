/** Rooms, their members, bans and blocks, and how far each member has read. */
@NullMarked
package io.parley.store.room;

import org.jspecify.annotations.NullMarked;
