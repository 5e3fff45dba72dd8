/** The devices that receive a user's push notifications. */
@NullMarked
package io.parley.server.device;

import org.jspecify.annotations.NullMarked;
