package io.parley.notification.provider;

import java.time.Duration;

/**
 * Tells one device what is new in one room. The same one may come again after a failure:
 * room and position tell repetitions apart.
 *
 * @param username whose device it is
 * @param sender who wrote the last of the messages
 * @param text of the last of the messages, perhaps shortened
 * @param position of the last of the messages
 * @param messages how many messages it tells of, 1 or more
 * @param mentioned whether one of them names the user
 * @param unread how many messages the user has not read, over all rooms that are not
 * muted
 * @param timeToLive after that it is worth nothing
 */
public record PushMessage(PushTarget target, String username, String room, String roomName, String sender, String text,
		long position, int messages, boolean mentioned, long unread, Duration timeToLive) {
}
