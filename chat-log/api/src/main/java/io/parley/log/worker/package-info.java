/** The common behaviour of all readers of the log: claim, poll, handle, retry, stop. */
@NullMarked
package io.parley.log.worker;

import org.jspecify.annotations.NullMarked;
