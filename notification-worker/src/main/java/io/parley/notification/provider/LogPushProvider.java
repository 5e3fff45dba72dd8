package io.parley.notification.provider;

import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes one line per push, for those who have no push service. */
public class LogPushProvider implements PushProvider {

	private static final Logger logger = LoggerFactory.getLogger(LogPushProvider.class);

	private static final int MAX_CHARACTERS = 80;

	@Override
	public List<PushAnswer> push(List<PushMessage> messages) {
		return messages.stream().map(LogPushProvider::write).toList();
	}

	private static PushAnswer write(PushMessage message) {
		logger.info("Push to {}: {} in {}: {}{}", message.username(), message.sender(), message.roomName(),
				start(message.text()), (message.messages() > 1) ? " (" + message.messages() + " messages)" : "");
		return PushAnswer.sent("written to the log");
	}

	/** On one line. */
	private static String start(String text) {
		return Excerpt.of(text, MAX_CHARACTERS).replaceAll("\\R|\\p{Cntrl}", " ");
	}

}
