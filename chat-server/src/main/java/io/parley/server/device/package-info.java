/** The devices on which a user can be told something. */
@NullMarked
package io.parley.server.device;

import org.jspecify.annotations.NullMarked;
