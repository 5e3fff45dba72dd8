package io.parley.log.rabbitmq;

import com.rabbitmq.stream.StreamException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An outage of the broker, which a reader treats as a pause and not as a failure. */
final class Outage {

	private static final Logger logger = LoggerFactory.getLogger(Outage.class);

	private final String subject;

	private boolean reported;

	Outage(String subject) {
		this.subject = subject;
	}

	/** Tries to connect; logs when an outage begins and ends. */
	void attempt(Runnable connecting) {
		try {
			connecting.run();
			if (this.reported) {
				logger.info("Resolved: {}", this.subject);
			}
			this.reported = false;
		}
		catch (StreamException | IllegalStateException ex) {
			if (!this.reported) {
				logger.warn("{} now ({}); it resumes when RabbitMQ is back", this.subject, ex.getMessage());
			}
			this.reported = true;
		}
	}

}
