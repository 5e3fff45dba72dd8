/** Settings with which the server can't start, said in a sentence. */
@NullMarked
package io.parley.server.settings;

import org.jspecify.annotations.NullMarked;
