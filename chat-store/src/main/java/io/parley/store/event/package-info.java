/** Read access to the stored history of the rooms. */
@NullMarked
package io.parley.store.event;

import org.jspecify.annotations.NullMarked;
