/** Devices, push settings, pending push tasks, and the log of push decisions. */
@NullMarked
package io.parley.store.push;

import org.jspecify.annotations.NullMarked;
