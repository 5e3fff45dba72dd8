/** Attacks on the packaged server, while others chat. */
@NullMarked
package io.parley.system.attack;

import org.jspecify.annotations.NullMarked;
