package io.parley.server.message;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

import io.parley.events.EventType;
import io.parley.events.MessagePosted;
import io.parley.events.PinChanged;
import io.parley.events.PinState;
import io.parley.events.Positions;
import io.parley.events.RoomEvent;
import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.server.room.RoomTurns;
import io.parley.server.timeline.History;
import io.parley.server.timeline.MessageLookup;
import io.parley.server.timeline.MessageViews;
import io.parley.server.timeline.RecentMessages.Place;

import org.springframework.stereotype.Component;

/**
 * Pins messages and ends pins, one after the other in each room, so that this server
 * keeps the limit and writes nothing twice. Changes that cross those of another server
 * are decided by the fold ({@link io.parley.events.MessageState}). Safe for use by many
 * threads.
 */
@Component
class PinGate {

	/** The number of pinned messages of a room. */
	static final int MAX_PINS = 100;

	private final MessageChanges messages;

	private final MessageLookup events;

	private final MessageViews views;

	private final History history;

	private final RoomTurns turns;

	PinGate(MessageChanges messages, MessageLookup events, MessageViews views, History history, RoomTurns turns) {
		this.messages = messages;
		this.events = events;
		this.views = views;
		this.history = history;
		this.turns = turns;
	}

	/**
	 * Changes the pin of a message. Blocks until it is the turn of this change in the
	 * room and the log has confirmed it.
	 * @param append appends the event of a change that has an effect
	 * @return the place of that event; if there is nothing to change, that of the last
	 * change of the pin, or of the message
	 * @throws ChatException if the message is deleted, or there is none, or too many are
	 * pinned, or the append fails
	 */
	Place change(String room, String sender, PinDraft draft, Function<RoomEvent, CompletableFuture<Place>> append) {
		return this.turns.take(room, () -> {
			MessagePosted message = this.messages.requireChangeable(EventType.PIN_CHANGED, room, draft.target());
			PinState pin = this.views.state(room, draft.target()).pin();
			if (pin.on() == draft.on()) {
				long last = (pin.changed() != Positions.NONE) ? pin.changed() : draft.target();
				return new Place(last, this.events.idAt(room, last), EventType.PIN_CHANGED);
			}
			if (draft.on() && this.views.pins(room) >= MAX_PINS) {
				throw ErrorCode.TOO_MANY_PINS
					.because("The room has " + MAX_PINS + " pinned messages. End the pin of another one first.");
			}
			Place place = join(append.apply(new PinChanged(room, UUID.randomUUID().toString(), sender, draft.clientId(),
					Instant.now().truncatedTo(ChronoUnit.MILLIS), draft.target(), draft.on(), message.thread())));
			// So that the next change in the room finds this one.
			this.history.awaitRead(room, place.position());
			return place;
		});
	}

	private static Place join(CompletableFuture<Place> appended) {
		try {
			return appended.join();
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof ChatException refused) ? refused : ex;
		}
	}

}
