package io.parley.server.session;

import java.net.InetAddress;
import java.net.UnknownHostException;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * This server among others.
 *
 * @param id the same after each restart and unlike that of any other server; when not
 * set, the name of the host
 */
@ConfigurationProperties("chat.node")
record NodeProperties(@Nullable String id) {

	String idOrHostName() {
		if (this.id != null) {
			return this.id;
		}
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "localhost";
		}
	}

}
