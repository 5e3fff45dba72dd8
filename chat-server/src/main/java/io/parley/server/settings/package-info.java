/** Reports settings with which the server cannot start. */
@NullMarked
package io.parley.server.settings;

import org.jspecify.annotations.NullMarked;
