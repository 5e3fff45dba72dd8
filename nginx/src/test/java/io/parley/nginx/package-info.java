/** What the front promises, tested with a real nginx before a real chat-server. */
@NullMarked
package io.parley.nginx;

import org.jspecify.annotations.NullMarked;
