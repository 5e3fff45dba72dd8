/**
 * The command {@code reactions}: all users of a room react to one message.
 */
@NullMarked
package io.parley.loadtest.reactions;

import org.jspecify.annotations.NullMarked;
