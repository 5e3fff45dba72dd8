package io.parley.notification;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what was pushed, and refuses everything for one user while it is told to. */
class RecordingProvider implements PushProvider {

	private final List<PushNotification> pushed = new CopyOnWriteArrayList<>();

	private volatile String refused = "";

	@Override
	public void push(PushNotification notification) {
		if (notification.username().equals(this.refused)) {
			throw new IllegalStateException("No push for " + notification.username());
		}
		this.pushed.add(notification);
	}

	void refuse(String username) {
		this.refused = username;
	}

	List<PushNotification> pushed() {
		return this.pushed;
	}

	List<String> pushedTo() {
		return this.pushed.stream().map(PushNotification::username).toList();
	}

}
