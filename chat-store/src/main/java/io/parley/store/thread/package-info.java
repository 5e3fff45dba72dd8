/** Who takes part in threads, who follows them, and how far they are read. */
@NullMarked
package io.parley.store.thread;

import org.jspecify.annotations.NullMarked;
