/** Live sessions: their registry, limits, outboxes and presence. */
@NullMarked
package io.parley.server.session;

import org.jspecify.annotations.NullMarked;
