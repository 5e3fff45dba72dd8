package io.parley.store.presence;

import java.util.HashMap;
import java.util.Map;

/**
 * The nodes to which a user is connected.
 *
 * @param states what the user is on each of them; nodes with {@code OFFLINE} are missing
 */
public record UserNodes(Map<String, PresenceState> states) {

	/** No nodes. */
	public static final UserNodes NONE = new UserNodes(Map.of());

	public UserNodes {
		states = Map.copyOf(states);
	}

	static UserNodes of(String node, PresenceState state) {
		return new UserNodes(Map.of(node, state));
	}

	/** Returns what the user is on one node. */
	public PresenceState on(String node) {
		return this.states.getOrDefault(node, PresenceState.OFFLINE);
	}

	/** Returns how others see the user. */
	public PresenceState state() {
		return PresenceState.of(this.states.values());
	}

	/** Returns all nodes except one. */
	public UserNodes without(String node) {
		Map<String, PresenceState> others = new HashMap<>(this.states);
		others.remove(node);
		return new UserNodes(others);
	}

	/** Returns those nodes on which the user is the same in both. */
	UserNodes sharedWith(UserNodes other) {
		Map<String, PresenceState> shared = new HashMap<>(this.states);
		shared.entrySet().retainAll(other.states.entrySet());
		return new UserNodes(shared);
	}

	UserNodes and(UserNodes other) {
		Map<String, PresenceState> both = new HashMap<>(this.states);
		both.putAll(other.states);
		return new UserNodes(both);
	}

}
