package io.parley.server.message;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.parley.events.MessageState;
import io.parley.events.Reaction;
import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.server.timeline.MessageReactions;
import org.jspecify.annotations.Nullable;

/**
 * The reactions to one message while changes are applied that will be one record. Not
 * safe for use by many threads.
 */
class ReactionTally {

	/** The number of different reactions to a message. */
	static final int MAX_KEYS = 20;

	/** The number of reactions of one user to a message. */
	static final int MAX_KEYS_OF_USER = 10;

	private final Map<String, Integer> counts;

	private final Set<Reaction> before;

	private final Set<Reaction> given;

	private final boolean exact;

	/** The last change of each reaction, in the order of the first ones. */
	private final Map<Reaction, Reaction.Change> last = new LinkedHashMap<>();

	private final Map<String, Integer> ofUsers = new HashMap<>();

	/**
	 * Creates the tally of a message.
	 * @param given with all reactions of the users whose changes are applied, unless the
	 * message has so few that nobody can have too many
	 * @param exact false if changes that were appended may come into effect later: then a
	 * change is recorded also if it seems to have no effect
	 */
	ReactionTally(MessageReactions.Given given, boolean exact) {
		this.counts = new LinkedHashMap<>(given.state().counts());
		this.before = given.reactions();
		this.given = new HashSet<>(this.before);
		this.exact = exact;
		this.given.forEach((reaction) -> this.ofUsers.merge(reaction.user(), 1, Integer::sum));
	}

	/** Applies a change. Returns why it is refused, or null. */
	@Nullable ChatException apply(Reaction.Change change) {
		Reaction reaction = change.reaction();
		if (change.on() && !this.given.contains(reaction)) {
			if (!this.counts.containsKey(reaction.key()) && this.counts.size() >= MAX_KEYS) {
				return tooMany("A message has at most " + MAX_KEYS + " different reactions.");
			}
			if (this.ofUsers.getOrDefault(reaction.user(), 0) >= MAX_KEYS_OF_USER) {
				return tooMany("A user gives a message at most " + MAX_KEYS_OF_USER + " reactions.");
			}
		}
		this.last.putIfAbsent(reaction, change);
		this.last.replace(reaction, change);
		if (change.applyTo(this.given)) {
			MessageState.count(this.counts, change);
			this.ofUsers.merge(reaction.user(), change.on() ? 1 : -1, Integer::sum);
		}
		return null;
	}

	private static ChatException tooMany(String message) {
		return ErrorCode.TOO_MANY_REACTIONS.because(message + " Take one back first.");
	}

	/** Returns the counts after all changes. */
	Map<String, Integer> counts() {
		return this.counts;
	}

	/** Returns what the changes come to. */
	List<Reaction.Change> changes() {
		List<Reaction.Change> changes = new ArrayList<>();
		for (Reaction.Change change : this.last.values()) {
			if (!this.exact || change.on() != this.before.contains(change.reaction())) {
				changes.add(change);
			}
		}
		return changes;
	}

}
