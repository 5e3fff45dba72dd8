/** How far the readers of the room log have come, and what they could not read. */
@NullMarked
package io.parley.store.log;

import org.jspecify.annotations.NullMarked;
