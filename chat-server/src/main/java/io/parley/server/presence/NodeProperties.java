package io.parley.server.presence;

import java.net.InetAddress;
import java.net.UnknownHostException;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Identifies this server among all servers.
 *
 * @param id the same after each restart, and different from that of any other server;
 * when not set, the host name
 */
@ConfigurationProperties("chat.node")
public record NodeProperties(@Nullable String id) {

	/** Returns the id of this server, or the name of its host if none is set. */
	public String idOrHostName() {
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
