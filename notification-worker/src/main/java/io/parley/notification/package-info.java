/** Reads the room log and pushes each message to the members who are away. */
@NullMarked
package io.parley.notification;

import org.jspecify.annotations.NullMarked;
