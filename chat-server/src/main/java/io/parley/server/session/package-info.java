/** Live sessions: their registry, limits and presence. */
@NullMarked
package io.parley.server.session;

import org.jspecify.annotations.NullMarked;
