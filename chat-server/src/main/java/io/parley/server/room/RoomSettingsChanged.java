package io.parley.server.room;

import io.parley.store.room.RoomSettings;

/**
 * The settings of a room have changed. Published as an application event on the server
 * that stored the change.
 *
 * @param by who changed them
 */
public record RoomSettingsChanged(String room, RoomSettings before, RoomSettings after, String by) {

	/** Returns whether the slow mode has changed. */
	public boolean isSlowModeChanged() {
		return this.before.slowMode() != this.after.slowMode();
	}

	/** Returns whether members may do something else from now on. */
	public boolean isForMembers() {
		return isSlowModeChanged() || this.before.memberPins() != this.after.memberPins();
	}

}
