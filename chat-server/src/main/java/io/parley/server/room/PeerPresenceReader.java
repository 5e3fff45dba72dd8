package io.parley.server.room;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import io.parley.server.presence.LastSeen;
import io.parley.server.presence.UserPresences;
import io.parley.store.presence.PresenceState;
import io.parley.store.room.BlockRepository;

import org.springframework.stereotype.Component;

/**
 * Knows the presence of the other users of direct rooms, as far as a user may see it.
 */
@Component
class PeerPresenceReader {

	private final UserPresences presences;

	private final LastSeen lastSeen;

	private final BlockRepository blocks;

	PeerPresenceReader(UserPresences presences, LastSeen lastSeen, BlockRepository blocks) {
		this.presences = presences;
		this.lastSeen = lastSeen;
		this.blocks = blocks;
	}

	/** Returns the presence of users. Up to 200 need three queries. */
	Map<String, PeerPresence> of(String viewer, Collection<String> users) {
		if (users.isEmpty()) {
			return Map.of();
		}
		Map<String, PresenceState> states = this.presences.of(users);
		Map<String, Instant> seen = this.lastSeen.visibleTo(viewer, users);
		Set<String> blocked = Set.copyOf(this.blocks.blockedWith(viewer, users));
		Map<String, PeerPresence> visible = new HashMap<>();
		users.forEach((user) -> {
			PresenceState state = blocked.contains(user) ? PresenceState.OFFLINE
					: states.getOrDefault(user, PresenceState.OFFLINE);
			visible.put(user, PeerPresence.of(state, seen.get(user)));
		});
		return visible;
	}

}
