/**
 * The notification-worker: reads the room log and pushes each message to the members who
 * are offline.
 */
@NullMarked
package io.parley.notification;

import org.jspecify.annotations.NullMarked;
