package io.parley.notification.provider;

import java.time.Duration;

/**
 * Notifies one device of the news in one room or thread. The same message may be sent
 * again after a failure: room and position identify repetitions.
 *
 * @param username the user of the device
 * @param sender the sender of the last message
 * @param text the text of the last message, possibly truncated
 * @param position the position of the last message
 * @param messages the number of messages that the notification is about, 1 or more
 * @param mentioned whether one of them mentions the user
 * @param unread the number of messages that the user has not read, over all rooms that
 * are not muted
 * @param timeToLive how long the notification is useful
 * @param thread the root of the thread, or 0 for messages of the room itself
 */
public record PushMessage(PushTarget target, String username, String room, String roomName, String sender, String text,
		long position, int messages, boolean mentioned, long unread, Duration timeToLive, long thread) {

	/** Returns what a later notification replaces. */
	String topic() {
		return (this.thread != 0) ? this.thread + "." + this.room : this.room;
	}

}
