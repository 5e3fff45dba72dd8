/**
 * The command {@code storm}: all sessions connect at once.
 */
@NullMarked
package io.parley.loadtest.storm;

import org.jspecify.annotations.NullMarked;
