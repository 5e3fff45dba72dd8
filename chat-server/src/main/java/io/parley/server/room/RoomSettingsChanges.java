package io.parley.server.room;

import java.util.function.UnaryOperator;

import io.parley.events.EventType;
import io.parley.events.RoomChanged;
import io.parley.server.error.ErrorCode;
import io.parley.store.room.Room;
import io.parley.store.room.RoomKind;
import io.parley.store.room.RoomRepository;
import io.parley.store.room.RoomSettings;
import io.parley.store.room.SlowModeTurns;
import io.parley.store.room.UnconfirmedChanges.Kind;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/**
 * Changes the settings of rooms. The database decides; then an event in the log tells the
 * members, with the values that have changed. The last event in the log says what the
 * database says: changes on one server follow each other, and who has appended an event
 * looks whether another server has changed the same meanwhile, whose event may be before.
 */
@Component
class RoomSettingsChanges {

	/** An unconfirmed change of settings is one of the room, not of a user. */
	private static final String NOBODY = "";

	private final RoomLock lock;

	private final RoomTurns order;

	private final RoomRepository rooms;

	private final SlowModeTurns turns;

	private final RoomChanges changes;

	private final ApplicationEventPublisher publisher;

	RoomSettingsChanges(RoomLock lock, RoomTurns order, RoomRepository rooms, SlowModeTurns turns, RoomChanges changes,
			ApplicationEventPublisher publisher) {
		this.lock = lock;
		this.order = order;
		this.rooms = rooms;
		this.turns = turns;
		this.changes = changes;
		this.publisher = publisher;
	}

	/**
	 * Changes the settings of a room. Without a difference nothing happens, except that
	 * the event of an earlier change is appended if the log may not have it.
	 * @param action what the user must be allowed to do
	 * @param change returns the new settings
	 * @throws io.parley.server.error.ChatException {@code not-a-member}, or
	 * {@code not-allowed} if the role does not permit it or the room is direct;
	 * {@code append-unknown} if the change was made and the log did not confirm its event
	 */
	void change(String room, String by, RoomAction action, UnaryOperator<RoomSettings> change) {
		this.lock.requireWithoutLock(action, room, by);
		requireSettings(room);
		this.order.take(room, () -> {
			// First, because the database may be unavailable when the change was made.
			boolean unconfirmed = this.changes.isUnconfirmed(room, NOBODY, Kind.SETTINGS);
			Change made = this.lock.as(by, room, action, (role) -> store(room, change));
			if (made.isChange()) {
				this.publisher.publishEvent(new RoomSettingsChanged(room, made.before(), made.after(), by));
			}
			tell(room, by, made, unconfirmed);
			return made;
		});
	}

	private void requireSettings(String room) {
		if (this.rooms.findById(room).filter((found) -> found.getKind() == RoomKind.DIRECT).isPresent()) {
			throw ErrorCode.NOT_ALLOWED.because("A direct room has no name, no topic and no settings.");
		}
	}

	private record Change(RoomSettings before, RoomSettings after) {

		boolean isChange() {
			return !this.before.equals(this.after);
		}

	}

	private Change store(String room, UnaryOperator<RoomSettings> change) {
		RoomSettings before = this.rooms.findById(room)
			.map(Room::settings)
			.orElseThrow(() -> RoomAccess.notAMember(room));
		RoomSettings after = change.apply(before);
		if (!before.equals(after)) {
			this.rooms.change(room, after);
			if (after.slowMode() == 0 && before.slowMode() != 0) {
				// Turns that were taken before count only while slow mode stays on.
				this.turns.clear(room);
			}
		}
		return new Change(before, after);
	}

	/**
	 * Appends the event of a change.
	 * @param unconfirmed whether the log may not have the event of an earlier change
	 */
	private void tell(String room, String by, Change made, boolean unconfirmed) {
		if (!this.changes.canAppend(EventType.ROOM_CHANGED)) {
			return;
		}
		RoomChanged event = unconfirmed ? all(room, by, made.after()) : difference(room, by, made);
		while (!isEmpty(event)) {
			this.changes.append(event, () -> false, () -> this.changes.unconfirmed(room, NOBODY, Kind.SETTINGS));
			event = correction(event, this.rooms.settingsOf(room).orElse(made.after()));
		}
		if (unconfirmed) {
			this.changes.confirmed(room, NOBODY, Kind.SETTINGS);
		}
	}

	private static RoomChanged all(String room, String by, RoomSettings settings) {
		return event(room, by, settings.name(), settings.topic(), settings.slowMode(), settings.memberPins());
	}

	private static RoomChanged difference(String room, String by, Change made) {
		RoomSettings before = made.before();
		RoomSettings after = made.after();
		return event(room, by, ifOther(before.name(), after.name()), ifOther(before.topic(), after.topic()),
				ifOther(before.slowMode(), after.slowMode()), ifOther(before.memberPins(), after.memberPins()));
	}

	/** Returns an event with the values of another one that are not right any more. */
	private static RoomChanged correction(RoomChanged told, RoomSettings now) {
		return event(told.room(), told.sender(), ifOther(told.name(), now.name()), ifOther(told.topic(), now.topic()),
				ifOther(told.slowMode(), now.slowMode()), ifOther(told.memberPins(), now.memberPins()));
	}

	/** Returns the value now; null if it is the same as before, or none was before. */
	private static <T> @Nullable T ifOther(@Nullable T before, T now) {
		return (before == null || before.equals(now)) ? null : now;
	}

	private static RoomChanged event(String room, String by, @Nullable String name, @Nullable String topic,
			@Nullable Integer slowMode, @Nullable Boolean memberPins) {
		return new RoomChanged(room, RoomChanges.newEventId(), by, RoomChanges.now(), name, topic, slowMode,
				memberPins);
	}

	private static boolean isEmpty(RoomChanged event) {
		return event.name() == null && event.topic() == null && event.slowMode() == null && event.memberPins() == null;
	}

}
