/** Who is connected: the table of live sessions, their limits and their ends. */
@NullMarked
package io.parley.server.session;

import org.jspecify.annotations.NullMarked;
