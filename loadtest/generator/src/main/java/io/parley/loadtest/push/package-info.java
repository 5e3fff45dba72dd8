/**
 * The command {@code push}: messages to offline members.
 */
@NullMarked
package io.parley.loadtest.push;

import org.jspecify.annotations.NullMarked;
