/**
 * The command {@code connect}: a steady rate of new sessions.
 */
@NullMarked
package io.parley.loadtest.connect;

import org.jspecify.annotations.NullMarked;
