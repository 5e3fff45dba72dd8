/**
 * The command {@code life}: users who do what the bundled page does.
 */
@NullMarked
package io.parley.loadtest.life;

import org.jspecify.annotations.NullMarked;
