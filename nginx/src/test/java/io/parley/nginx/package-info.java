/** Tests of the nginx configuration, with a real nginx in front of a real chat-server. */
@NullMarked
package io.parley.nginx;

import org.jspecify.annotations.NullMarked;
