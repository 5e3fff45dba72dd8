/** The finished server, for tests that start it as a process. */
@NullMarked
package io.parley.packaged;

import org.jspecify.annotations.NullMarked;
