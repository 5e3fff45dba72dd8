package io.parley.server.audit;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * The user who did something, and the address.
 *
 * @param username null if the user is unknown, or if the server acts by itself
 * @param address the address of the client, or null
 */
public record Actor(@Nullable String username, @Nullable String address) {

	/** The server, which acts by itself. */
	public static final Actor SERVER = new Actor(null, null);

	/** Returns the sender of a request. */
	public static Actor of(HttpServletRequest request) {
		return new Actor(request.getRemoteUser(), request.getRemoteAddr());
	}

}
