/**
 * A proxy in front of a server that breaks connections by a script.
 */
@NullMarked
package io.parley.loadtest.faults;

import org.jspecify.annotations.NullMarked;
