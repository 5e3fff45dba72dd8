package io.parley.notification.provider;

import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs one line per push, for installations without a push service. The line shows who is
 * notified of which message, but not what users write.
 */
public class LogPushProvider implements PushProvider {

	private static final Logger logger = LoggerFactory.getLogger(LogPushProvider.class);

	@Override
	public List<PushAnswer> push(List<PushMessage> messages) {
		return messages.stream().map(LogPushProvider::write).toList();
	}

	private static PushAnswer write(PushMessage message) {
		logger.info("Push to {}: room {}, position {}, messages: {}", message.username(), message.room(),
				message.position(), message.messages());
		return PushAnswer.sent("written to the log");
	}

}
