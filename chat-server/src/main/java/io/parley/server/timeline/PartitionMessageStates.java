package io.parley.server.timeline;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import io.parley.events.EventRecord;
import io.parley.events.MessageState;
import io.parley.events.Positions;
import io.parley.events.Reaction;
import org.jspecify.annotations.Nullable;

/**
 * The states of messages of one partition, by position. Messages without changes have
 * none. Not safe for use by many threads.
 */
final class PartitionMessageStates {

	private final Map<Long, MessageState> states;

	/** Those of the reactions in the changes that are given, by message. */
	private final Map<Long, Set<Reaction>> given = new HashMap<>();

	/** Whether replies change their roots. */
	private final boolean threads;

	/**
	 * Applies changes, in the feed: the counts of reactions are those of the changes
	 * only, and replies have no effect.
	 * @param before the states before the changes
	 * @param changes in the order of the log
	 */
	PartitionMessageStates(Map<Long, MessageState> before, Collection<PositionedEvent> changes) {
		this(before, Map.of(), changes, false);
	}

	/**
	 * Applies changes and replies.
	 * @param before the states before the changes, some of which they may contain
	 * @param given those of the reactions in the changes that were given, read before the
	 * states
	 * @param changes in the order of the log
	 */
	PartitionMessageStates(Map<Long, MessageState> before, Map<Long, Set<Reaction>> given,
			Collection<PositionedEvent> changes) {
		this(before, given, changes, true);
	}

	private PartitionMessageStates(Map<Long, MessageState> before, Map<Long, Set<Reaction>> given,
			Collection<PositionedEvent> changes, boolean threads) {
		this.threads = threads;
		this.states = new HashMap<>(before);
		given.forEach((target, reactions) -> this.given.put(target, new LinkedHashSet<>(reactions)));
		for (PositionedEvent change : changes) {
			if (threads && change.record().countsInThread()) {
				applyToRoot(change, (root) -> root.afterReply(change.position(), change.record()));
			}
			else if (change.record().changes()) {
				apply(change);
			}
		}
	}

	private void applyToRoot(PositionedEvent event, UnaryOperator<MessageState> change) {
		long root = event.record().thread();
		MessageState state = this.states.getOrDefault(root, MessageState.of(root));
		if (event.position() > state.changed()) {
			this.states.put(root, change.apply(state));
		}
	}

	private void apply(PositionedEvent change) {
		long target = change.record().target();
		MessageState state = this.states.getOrDefault(target, MessageState.of(target));
		Set<Reaction> reactions = this.given.computeIfAbsent(target, (key) -> new LinkedHashSet<>());
		if (change.position() <= state.changed()) {
			// The state has it, but maybe not the reactions, which were read earlier.
			change.record().reactionChanges().forEach((reaction) -> reaction.applyTo(reactions));
		}
		MessageState after = state.after(change.position(), change.record(), reactions);
		this.states.put(target, after);
		if (this.threads && change.record().deletesReply() && after.deleted() && !state.deleted()) {
			applyToRoot(change, (root) -> root.afterDeletedReply(change.position()));
		}
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
		return changes.stream()
			.map((change) -> change.record().target())
			.filter((target) -> target != Positions.NONE)
			.collect(Collectors.toSet());
	}

	/**
	 * Returns the positions of the messages that these events change, and the roots of
	 * the threads whose replies they are or delete.
	 */
	static Set<Long> targetsAndRoots(Collection<PositionedEvent> changes) {
		Set<Long> messages = targets(changes);
		changes.stream()
			.map(PositionedEvent::record)
			.filter((record) -> record.countsInThread() || record.deletesReply())
			.map(EventRecord::thread)
			.forEach(messages::add);
		return messages;
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
