package io.parley.server.device;

import java.time.Instant;
import java.util.Locale;

import io.parley.store.push.Device;

/**
 * A device as shown to its user.
 *
 * @param id identifies the device without revealing its token
 */
record DeviceView(String id, String platform, String kind, Instant seenAt) {

	static DeviceView of(Device device) {
		return new DeviceView(device.id(), wireName(device.platform()), wireName(device.kind()), device.seenAt());
	}

	static String wireName(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT);
	}

}
