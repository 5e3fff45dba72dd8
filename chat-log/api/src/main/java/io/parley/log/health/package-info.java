/** Health and metrics of the log, and the exit of a process that must be restarted. */
@NullMarked
package io.parley.log.health;

import org.jspecify.annotations.NullMarked;
