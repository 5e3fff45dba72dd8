package io.parley.server.room;

import java.time.Instant;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.parley.store.presence.PresenceState;
import org.jspecify.annotations.Nullable;

/**
 * The presence of one user, as another one sees it.
 *
 * @param online false if one of the two has blocked the other
 * @param away true for a user who is online, but away; else null
 * @param lastSeen when a user who is not online was last online, or null if that is not
 * shown
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record PeerPresence(boolean online, @Nullable Boolean away, @Nullable Instant lastSeen) {

	/**
	 * Returns what others see of a user.
	 * @param seen when the user was last online, or null if that is not shown
	 */
	static PeerPresence of(PresenceState state, @Nullable Instant seen) {
		return new PeerPresence(state.isConnected(), (state == PresenceState.AWAY) ? true : null,
				(state == PresenceState.ONLINE) ? null : seen);
	}

}
