package io.parley.server.timeline;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.parley.events.EventRecord;
import io.parley.events.MessageState;
import io.parley.events.Reaction;
import org.jspecify.annotations.Nullable;

/**
 * The states of messages of one partition, by position. Messages without changes have
 * none. Not safe for use by many threads.
 */
final class MessageStates {

	private final Map<Long, MessageState> states;

	/** Those of the reactions in the changes that are given, by message. */
	private final Map<Long, Set<Reaction>> given = new HashMap<>();

	/**
	 * Applies changes, in the feed: the counts of reactions are those of the changes
	 * only.
	 * @param before the states before the changes
	 * @param changes in the order of the log
	 */
	MessageStates(Map<Long, MessageState> before, Collection<PositionedEvent> changes) {
		this(before, Map.of(), changes);
	}

	/**
	 * Applies changes.
	 * @param before the states before the changes, some of which they may contain
	 * @param given those of the reactions in the changes that were given, read before the
	 * states
	 * @param changes in the order of the log
	 */
	MessageStates(Map<Long, MessageState> before, Map<Long, Set<Reaction>> given, Collection<PositionedEvent> changes) {
		this.states = new HashMap<>(before);
		given.forEach((target, reactions) -> this.given.put(target, new LinkedHashSet<>(reactions)));
		changes.stream().filter((change) -> change.record().changes()).forEach(this::apply);
	}

	private void apply(PositionedEvent change) {
		long target = change.record().target();
		MessageState state = this.states.getOrDefault(target, MessageState.of(target));
		Set<Reaction> reactions = this.given.computeIfAbsent(target, (key) -> new LinkedHashSet<>());
		if (change.position() <= state.changed()) {
			// The state has it, but maybe not the reactions, which were read earlier.
			change.record().reactionChanges().forEach((reaction) -> reaction.applyTo(reactions));
		}
		this.states.put(target, state.after(change.position(), change.record(), reactions));
	}

	/** Returns the reactions that these events change, by message. */
	static Map<Long, Set<Reaction>> reactions(Collection<PositionedEvent> changes) {
		Map<Long, Set<Reaction>> reactions = new HashMap<>();
		for (PositionedEvent event : changes) {
			for (Reaction.Change change : event.record().reactionChanges()) {
				reactions.computeIfAbsent(event.record().target(), (target) -> new LinkedHashSet<>())
					.add(change.reaction());
			}
		}
		return reactions;
	}

	/** Returns which of the reactions in the changes are given in the end. */
	Set<Reaction> given(long position) {
		return this.given.getOrDefault(position, Set.of());
	}

	/** Returns the positions of the messages that these events change. */
	static Set<Long> targets(Collection<PositionedEvent> changes) {
		return changes.stream().map((change) -> change.record().target()).collect(Collectors.toSet());
	}

	/** Returns the state of a message, or null if it was not changed. */
	@Nullable MessageState of(long position) {
		return this.states.get(position);
	}

	Map<Long, MessageState> all() {
		return this.states;
	}

	/** Returns a message with its current content. */
	EventRecord current(PositionedEvent message) {
		MessageState state = of(message.position());
		return (state != null) ? state.applyTo(message.record()) : message.record();
	}

	/**
	 * Returns the events as they read now: deleted messages without their content, and so
	 * the changes that others have overtaken. Edited messages keep their first text.
	 */
	List<PositionedEvent> applyTo(List<PositionedEvent> events) {
		return this.states.isEmpty() ? events : events.stream().map(this::applyTo).toList();
	}

	private PositionedEvent applyTo(PositionedEvent event) {
		MessageState ofTarget = this.states.get(event.record().target());
		if (ofTarget != null) {
			return event.with(ofTarget.applyTo(event.record(), event.position()));
		}
		MessageState own = this.states.get(event.position());
		return (own != null && own.deleted()) ? event.with(event.record().deleted()) : event;
	}

}
