package io.parley.notification.provider;

import io.parley.store.push.Device;

/**
 * Where a notification goes.
 *
 * @param value what the device registered with; a secret, never to be logged
 */
public record PushTarget(Device.Kind kind, String value, Device.Platform platform) {
}
