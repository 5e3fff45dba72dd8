/** Limits per client address, user and request. */
@NullMarked
package io.parley.server.limits;

import org.jspecify.annotations.NullMarked;
