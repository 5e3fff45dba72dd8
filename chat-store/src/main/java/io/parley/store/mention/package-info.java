/** Mentions of users in messages. */
@NullMarked
package io.parley.store.mention;

import org.jspecify.annotations.NullMarked;
