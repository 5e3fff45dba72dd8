/** Participants and followers of threads, and their read positions. */
@NullMarked
package io.parley.store.thread;

import org.jspecify.annotations.NullMarked;
