package io.parley.server.timeline;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.parley.events.EventRecord;
import io.parley.events.MessageState;
import org.jspecify.annotations.Nullable;

/**
 * The states of messages of one partition, by position. Messages without changes have
 * none. Not safe for use by many threads.
 */
final class MessageStates {

	private final Map<Long, MessageState> states;

	/**
	 * Applies changes.
	 * @param before the states before the changes
	 * @param changes in the order of the log
	 */
	MessageStates(Map<Long, MessageState> before, Collection<PositionedEvent> changes) {
		this.states = new HashMap<>(before);
		for (PositionedEvent change : changes) {
			if (change.record().changes()) {
				long target = change.record().target();
				MessageState state = this.states.getOrDefault(target, MessageState.of(target));
				this.states.put(target, state.after(change.position(), change.record()));
			}
		}
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
