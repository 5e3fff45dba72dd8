/** What the dependency tests of all modules share. */
@NullMarked
package io.parley.log.architecture;

import org.jspecify.annotations.NullMarked;
