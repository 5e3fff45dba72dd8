/** Notification settings of users, and the log of pushes. */
@NullMarked
package io.parley.server.push;

import org.jspecify.annotations.NullMarked;
