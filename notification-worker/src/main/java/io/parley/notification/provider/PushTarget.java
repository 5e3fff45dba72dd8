package io.parley.notification.provider;

import io.parley.store.push.Device;

/**
 * The address of a notification.
 *
 * @param value the value that the device registered with; a secret, never to be logged
 */
public record PushTarget(Device.Kind kind, String value, Device.Platform platform) {
}
