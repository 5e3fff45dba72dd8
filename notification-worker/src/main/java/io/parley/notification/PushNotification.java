package io.parley.notification;

/**
 * Tells one user of one message. The same one may be pushed again after a failure: room
 * and position tell repetitions apart.
 *
 * @param username who is away
 */
public record PushNotification(String username, String room, String roomName, long position, String sender,
		String text) {
}
