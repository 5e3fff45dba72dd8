/** Shared rules for the dependency tests of all modules. */
@NullMarked
package io.parley.log.architecture;

import org.jspecify.annotations.NullMarked;
