package io.parley.server.room;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;

import io.parley.events.EventType;
import io.parley.events.RoomEvent;
import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.server.timeline.RoomWriter;
import io.parley.store.room.UnconfirmedChanges;
import io.parley.store.room.UnconfirmedChanges.Kind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/**
 * Appends to the log the changes of rooms and members that the database has accepted, and
 * records which of them may be missing there.
 */
@Component
class RoomChanges {

	private static final Logger log = LoggerFactory.getLogger(RoomChanges.class);

	private final RoomWriter writer;

	private final UnconfirmedChanges unconfirmed;

	RoomChanges(RoomWriter writer, UnconfirmedChanges unconfirmed) {
		this.writer = writer;
		this.unconfirmed = unconfirmed;
	}

	/**
	 * Appends the event of a change and waits for the confirmation.
	 * @param undo reverts the change; called if the event is certainly not in the log.
	 * Returns false if that is no longer possible
	 * @param onKept called if the change stays and its event may not be in the log
	 * @throws ChatException if the event is not confirmed: {@code log-unavailable} if the
	 * change was reverted, {@code append-unknown} if it stays
	 */
	void append(RoomEvent event, BooleanSupplier undo, Runnable onKept) {
		try {
			this.writer.append(event).join();
		}
		catch (CompletionException ex) {
			if (!(ex.getCause() instanceof ChatException exception)) {
				onKept.run();
				throw ex;
			}
			if (exception.errorCode() == ErrorCode.LOG_UNAVAILABLE && tryUndo(event, undo)) {
				throw exception;
			}
			onKept.run();
			throw ErrorCode.APPEND_UNKNOWN.because(
					"The change was made, but the members may not have been told. Repeat the request to tell them; "
							+ "before you open a group or channel again, list your rooms.");
		}
		catch (RuntimeException ex) {
			onKept.run();
			throw ex;
		}
	}

	private static boolean tryUndo(RoomEvent event, BooleanSupplier undo) {
		try {
			return undo.getAsBoolean();
		}
		catch (DataAccessException | TransactionException ex) {
			log.warn("The log refused {} of room {}, and the database could not revert it", event.type(), event.room(),
					ex);
			return false;
		}
	}

	/** Returns whether the log can have events of that type now. */
	boolean canAppend(EventType type) {
		return this.writer.canAppend(type);
	}

	/** Returns whether the event of a change may be missing in the log. */
	boolean isUnconfirmed(String room, String user, Kind kind) {
		return this.unconfirmed.contains(room, user, kind);
	}

	/** Records that the event of a change may be missing in the log. */
	void unconfirmed(String room, String user, Kind kind) {
		try {
			this.unconfirmed.add(room, user, kind, now());
		}
		catch (DataAccessException ex) {
			log.warn("Could not record that the event of change {} of {} in room {} may be missing in the log;"
					+ " repeating the change will not append it", kind, user, room, ex);
		}
	}

	/** Records that the event of a change is in the log. */
	void confirmed(String room, String user, Kind kind) {
		try {
			this.unconfirmed.remove(room, user, kind);
		}
		catch (DataAccessException ex) {
			log.warn("Could not record that the event of change {} of {} in room {} is in the log;"
					+ " repeating the change will append it again", kind, user, room, ex);
		}
	}

	static String newEventId() {
		return UUID.randomUUID().toString();
	}

	static Instant now() {
		return Instant.now().truncatedTo(ChronoUnit.MILLIS);
	}

}
