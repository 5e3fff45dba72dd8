package io.parley.server.demo;

import java.net.InetAddress;

import io.parley.server.settings.ImpossibleSettingsException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/**
 * Fails the startup if profile {@code demo} is active and other machines can reach the
 * server: the password of the demo users is public, and one of them is an operator.
 */
@Component
@Profile("demo")
class DemoAddressCheck {

	DemoAddressCheck(DemoProperties demo, ServerProperties server) {
		InetAddress published = demo.publishedAddress();
		InetAddress address = (published != null) ? published : server.getAddress();
		if (!demo.isPublic() && !isLoopback(address)) {
			throw new ImpossibleSettingsException("Profile 'demo' creates users with a public password, and "
					+ describe(address) + " can be reached from other machines: remove the profile from"
					+ " spring.profiles.active, or set server.address=127.0.0.1 (in a container, set"
					+ " chat.demo.published-address to the address of this machine at which its port is published)."
					+ " chat.demo.public=true lets anyone sign in as a demo user.");
		}
	}

	private static boolean isLoopback(@Nullable InetAddress address) {
		return address != null && address.isLoopbackAddress();
	}

	private static String describe(@Nullable InetAddress address) {
		return (address != null) ? "the address " + address.getHostAddress() : "a server without server.address";
	}

}
