/** The stored history of the rooms, to read. */
@NullMarked
package io.parley.store.event;

import org.jspecify.annotations.NullMarked;
