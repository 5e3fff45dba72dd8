package io.parley.server.websocket;

import java.io.IOException;
import java.util.Map;

import org.springframework.http.server.ServerHttpResponse;

/** Decides which upgrades to a WebSocket may proceed. */
public interface UpgradeCheck {

	/**
	 * Decides about a complete upgrade from an allowed origin. Writes the response if the
	 * upgrade is rejected.
	 * @param remoteAddress the address of the client
	 * @param attributes the attributes of the WebSocket, to which the check may add
	 * @return whether the upgrade may proceed
	 */
	boolean admits(String remoteAddress, Map<String, Object> attributes, ServerHttpResponse response)
			throws IOException;

}
