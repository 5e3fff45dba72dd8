package io.parley.server.device;

import java.util.Locale;

import io.parley.store.push.Device;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A request to register a device.
 *
 * @param token identifies the device at the push service; must fit into a URL path
 * @param kind the kind of token; null for a registration token
 * @param replaces the previous token of the device, or null
 */
record NewDevice(@NotNull @Pattern(regexp = NewDevice.TOKEN, message = NewDevice.TOKEN_MESSAGE) String token,
		@NotNull @Pattern(regexp = "android|ios|web", message = "must be android, ios or web") String platform,
		@Nullable @Pattern(regexp = "token|fid", message = "must be token or fid") String kind,
		@Nullable @Pattern(regexp = NewDevice.TOKEN, message = NewDevice.TOKEN_MESSAGE) String replaces) {

	static final String TOKEN = "(?!\\.)[A-Za-z0-9._~:=+@-]{1,4096}";

	static final String TOKEN_MESSAGE = "must be 1 to 4,096 letters, digits or . _ ~ : = + @ -, not a dot first";

	Device.Kind kindOrToken() {
		return (this.kind != null) ? Device.Kind.valueOf(this.kind.toUpperCase(Locale.ROOT)) : Device.Kind.TOKEN;
	}

	Device.Platform knownPlatform() {
		return Device.Platform.valueOf(this.platform.toUpperCase(Locale.ROOT));
	}

	@Override
	public String toString() {
		return "NewDevice[" + this.platform + "]";
	}

}
