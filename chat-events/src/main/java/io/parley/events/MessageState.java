package io.parley.events;

import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The state of a message: the fold of its changes in the order of the log. The last edit
 * and the last change of the pin win, a user gives each reaction once, a deleted message
 * stays deleted and is not pinned, and a change that was applied before, or that this
 * build can't read, has no effect.
 *
 * @param changed the position of the last change with an effect, or that of the message
 * if there is none
 * @param text the text of the last edit; null if the message was not edited, or deleted
 * @param edits the number of edits with an effect
 * @param edited the position of the last edit, or of the deletion; 0 if there is none
 * @param reacted the position of the last change of reactions; 0 if there is none, or the
 * message is deleted
 * @param counts how many users have given each reaction
 * @param root the root of the thread of a changed reply; 0 for a message of the room
 * @param thread the replies to the message, which are kept if it is deleted
 * @param mentions whom the last edit mentions; null if there is none, or if it does not
 * say
 * @param pin whether the message is pinned
 */
public record MessageState(long changed, @Nullable String text, int edits, boolean deleted, long edited, long reacted,
		Map<String, Integer> counts, long root, ThreadState thread, @Nullable Mentions mentions, PinState pin) {

	public MessageState {
		counts = Collections.unmodifiableMap(new LinkedHashMap<>(counts));
	}

	/** Creates the state of a message that was never pinned. */
	public MessageState(long changed, @Nullable String text, int edits, boolean deleted, long edited, long reacted,
			Map<String, Integer> counts, long root, ThreadState thread, @Nullable Mentions mentions) {
		this(changed, text, edits, deleted, edited, reacted, counts, root, thread, mentions, PinState.NONE);
	}

	/** Creates the state of a message whose edits do not say whom it mentions. */
	public MessageState(long changed, @Nullable String text, int edits, boolean deleted, long edited, long reacted,
			Map<String, Integer> counts, long root, ThreadState thread) {
		this(changed, text, edits, deleted, edited, reacted, counts, root, thread, null);
	}

	/** Creates the state of a message of the room without replies. */
	public MessageState(long changed, @Nullable String text, int edits, boolean deleted, long edited, long reacted,
			Map<String, Integer> counts) {
		this(changed, text, edits, deleted, edited, reacted, counts, Positions.NONE, ThreadState.NONE);
	}

	/** Creates the state of a message of the room without reactions and replies. */
	public MessageState(long changed, @Nullable String text, int edits, boolean deleted) {
		this(changed, text, edits, deleted, (text != null || deleted) ? changed : Positions.NONE, Positions.NONE,
				Map.of());
	}

	/** Returns the state of a message without changes. */
	public static MessageState of(long position) {
		return new MessageState(position, null, 0, false);
	}

	/** Returns the state after a change of a message without earlier reactions. */
	public MessageState after(long position, EventRecord change) {
		return after(position, change, new HashSet<>());
	}

	/**
	 * Returns the state after a change: this one if the change has no effect.
	 * @param given those of the reactions in the change that are given, which this
	 * updates; it may contain others
	 */
	public MessageState after(long position, EventRecord change, Set<Reaction> given) {
		if (this.deleted || !change.changes()) {
			return this;
		}
		if (change.type().equals(EventType.REACTION_CHANGED)) {
			return (position > this.changed) ? reacted(position, change, given) : this;
		}
		try {
			return after(position, change.event());
		}
		catch (UnreadableEventException ex) {
			return this;
		}
	}

	private MessageState after(long position, RoomEvent change) {
		return switch (change) {
			case MessageEdited edit when position > this.changed ->
				new MessageState(position, edit.text(), this.edits + 1, false, position, this.reacted, this.counts,
						edit.thread(), this.thread, edit.mentions(), this.pin);
			// Also if it was stored late, after a newer edit.
			case MessageDeleted delete -> new MessageState(Math.max(position, this.changed), null, this.edits, true,
					position, Positions.NONE, Map.of(), delete.thread(), this.thread);
			case PinChanged pinned when position > this.changed ->
				new MessageState(position, this.text, this.edits, false, this.edited, this.reacted, this.counts,
						pinned.thread(), this.thread, this.mentions, new PinState(position, pinned.on()));
			default -> this;
		};
	}

	private MessageState reacted(long position, EventRecord record, Set<Reaction> given) {
		Map<String, Integer> newCounts = new LinkedHashMap<>(this.counts);
		for (Reaction.Change change : record.reactionChanges()) {
			if (change.applyTo(given)) {
				count(newCounts, change);
			}
		}
		return new MessageState(position, this.text, this.edits, false, this.edited, position, newCounts,
				record.thread(), this.thread, this.mentions, this.pin);
	}

	/**
	 * Returns the state after a reply to this message, which the state does not contain
	 * yet.
	 */
	public MessageState afterReply(long position, EventRecord reply) {
		return withThread(position, this.thread.withReply(position, reply.sender()));
	}

	/**
	 * Returns the state after one of the replies to this message was deleted, which the
	 * state does not contain yet.
	 */
	public MessageState afterDeletedReply(long position) {
		return withThread(position, this.thread.withDeletedReply());
	}

	private MessageState withThread(long position, ThreadState newThread) {
		return new MessageState(Math.max(position, this.changed), this.text, this.edits, this.deleted,
				this.deleted ? deletedAt() : this.edited, this.reacted, this.counts, this.root, newThread,
				this.mentions, this.pin);
	}

	/**
	 * Earlier versions did not store the position of a deletion, which was the last
	 * change.
	 */
	private long deletedAt() {
		return (this.edited != Positions.NONE) ? this.edited : this.changed;
	}

	/** Adds a change with an effect to the counts. */
	public static void count(Map<String, Integer> counts, Reaction.Change change) {
		counts.compute(change.reaction().key(), (key, count) -> {
			int sum = ((count != null) ? count : 0) + (change.on() ? 1 : -1);
			return (sum > 0) ? Integer.valueOf(sum) : null;
		});
	}

	/** Returns the message as it reads now. */
	public EventRecord applyTo(EventRecord message) {
		if (this.deleted) {
			return message.deleted();
		}
		return (this.text != null) ? message.withContent(this.text, this.mentions) : message;
	}

	/**
	 * Returns a change of this message as it reads now: without its content unless it is
	 * the last of its kind.
	 * @param position the position of the change
	 */
	public EventRecord applyTo(EventRecord change, long position) {
		return (change.type().changesMessage() && position != last(change.type())) ? change.superseded() : change;
	}

	private long last(EventType type) {
		if (this.deleted) {
			return deletedAt();
		}
		if (type.equals(EventType.PIN_CHANGED)) {
			return this.pin.changed();
		}
		return type.equals(EventType.REACTION_CHANGED) ? this.reacted : this.edited;
	}

	/** Returns the counts as JSON, in their order. */
	public String countsJson() {
		return StateJson.counts(this.counts);
	}

	/** Parses the counts from {@link #countsJson}. */
	public static Map<String, Integer> parseCounts(@Nullable String json) {
		return (json != null) ? StateJson.parseCounts(json) : Map.of();
	}

}
