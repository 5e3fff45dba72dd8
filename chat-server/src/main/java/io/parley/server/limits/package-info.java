/** Limits per client address, which apply before a user has signed in. */
@NullMarked
package io.parley.server.limits;

import org.jspecify.annotations.NullMarked;
