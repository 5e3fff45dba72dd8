package io.parley.notification;

/** Brings notifications to the devices of a user. */
public interface PushProvider {

	/**
	 * Hands over one notification.
	 * @throws RuntimeException when it was not taken; it is pushed again after a pause
	 */
	void push(PushNotification notification);

}
