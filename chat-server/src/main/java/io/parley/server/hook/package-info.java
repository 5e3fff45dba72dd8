/** Asks an external program whether a message may be accepted. */
@NullMarked
package io.parley.server.hook;

import org.jspecify.annotations.NullMarked;
