package io.parley.server.timeline;

import io.parley.events.EventRecord;
import io.parley.events.MessagePosted;
import io.parley.events.MessageState;
import io.parley.server.error.ErrorCode;

import org.springframework.stereotype.Component;

/**
 * Finds single messages, and other events, by their position. Safe for use by many
 * threads.
 */
@Component
public class MessageLookup {

	private final History history;

	private final MessageViews views;

	MessageLookup(History history, MessageViews views) {
		this.history = history;
		this.views = views;
	}

	/**
	 * Returns the message at a position, with its first text.
	 * @throws io.parley.server.error.ChatException {@code not-found} if there is none
	 */
	public MessagePosted require(String room, long position) {
		boolean known = position > 0 && this.history.isKnown(room, position);
		PositionedEvent event = known ? this.history.at(room, position) : null;
		if (event == null
				|| !(event.record().type().isMessage() && event.record().event() instanceof MessagePosted message)) {
			throw ErrorCode.NOT_FOUND.because("Room " + room + " has no message at position " + position + ".");
		}
		return message;
	}

	/**
	 * Returns the id of the event at a position.
	 * @throws IllegalStateException if there is none
	 */
	public String idAt(String room, long position) {
		PositionedEvent event = this.history.at(room, position);
		if (event == null) {
			throw new IllegalStateException("Room " + room + " has no event at " + position);
		}
		return event.record().id();
	}

	/**
	 * Returns the message at a position in its current state.
	 * @throws io.parley.server.error.ChatException {@code not-found} if there is none
	 */
	public MessagePosted current(String room, long position) {
		MessagePosted message = require(room, position);
		MessageState state = this.views.state(room, position);
		return (state.applyTo(EventRecord.of(message)).event() instanceof MessagePosted current) ? current : message;
	}

}
