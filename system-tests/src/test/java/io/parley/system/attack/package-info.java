/** Attacks on the packaged server while other users chat. */
@NullMarked
package io.parley.system.attack;

import org.jspecify.annotations.NullMarked;
