package io.parley.notification;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes one line per push, for those who have no push service. */
class LogPushProvider implements PushProvider {

	private static final Logger logger = LoggerFactory.getLogger(LogPushProvider.class);

	private static final int MAX_CHARACTERS = 80;

	@Override
	public void push(PushNotification notification) {
		logger.info("Push to {}: {} in {}: {}", notification.username(), notification.sender(), notification.roomName(),
				start(notification.text()));
	}

	/** On one line, and no character cut in two. */
	private static String start(String text) {
		int characters = Math.min(MAX_CHARACTERS, text.codePointCount(0, text.length()));
		return text.substring(0, text.offsetByCodePoints(0, characters)).replaceAll("\\R|\\p{Cntrl}", " ");
	}

}
