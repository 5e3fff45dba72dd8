/** Servers that a study starts for itself on this machine, and ends. */
@NullMarked
package io.parley.loadtest.local;

import org.jspecify.annotations.NullMarked;
