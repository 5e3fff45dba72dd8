package io.parley.events;

import org.jspecify.annotations.Nullable;

/**
 * The state of a message: the fold of its changes in the order of the log. The last edit
 * wins, a deleted message stays deleted, and a change that was applied before, or that
 * this build can't read, has no effect.
 *
 * @param changed the position of the last change with an effect, or that of the message
 * if there is none
 * @param text the text of the last edit; null if the message was not edited, or deleted
 * @param edits the number of edits with an effect
 */
public record MessageState(long changed, @Nullable String text, int edits, boolean deleted) {

	/** Returns the state of a message without changes. */
	public static MessageState of(long position) {
		return new MessageState(position, null, 0, false);
	}

	/** Returns the state after a change: this one if the change has no effect. */
	public MessageState after(long position, EventRecord change) {
		if (this.deleted || !change.changes()) {
			return this;
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
				new MessageState(position, edit.text(), this.edits + 1, false);
			// Also if it was stored late, after a newer edit.
			case MessageDeleted delete -> new MessageState(Math.max(position, this.changed), null, this.edits, true);
			default -> this;
		};
	}

	/** Returns the message as it reads now. */
	public EventRecord applyTo(EventRecord message) {
		if (this.deleted) {
			return message.deleted();
		}
		return (this.text != null) ? message.withText(this.text) : message;
	}

	/**
	 * Returns a change of this message as it reads now: without its content unless it is
	 * the last one.
	 * @param position the position of the change
	 */
	public EventRecord applyTo(EventRecord change, long position) {
		return (change.type().changesMessage() && position != this.changed) ? change.superseded() : change;
	}

}
