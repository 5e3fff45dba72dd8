/** What every reader of the log does alike: claim, poll, hand over, try again, stop. */
@NullMarked
package io.parley.log.worker;

import org.jspecify.annotations.NullMarked;
