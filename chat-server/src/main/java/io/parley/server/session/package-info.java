/** Live sessions: their registry, admission, queues and threads. */
@NullMarked
package io.parley.server.session;

import org.jspecify.annotations.NullMarked;
