package io.parley.log.rabbitmq;

import com.rabbitmq.stream.StreamException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A broker that is away for a reader: a pause, not a failure. */
final class Outage {

	private static final Logger logger = LoggerFactory.getLogger(Outage.class);

	private final String what;

	private boolean known;

	Outage(String what) {
		this.what = what;
	}

	/** Tries to connect; tells when trouble begins and ends. */
	void attempt(Runnable connecting) {
		try {
			connecting.run();
			if (this.known) {
				logger.info("{}: that is over", this.what);
			}
			this.known = false;
		}
		catch (StreamException | IllegalStateException ex) {
			if (!this.known) {
				logger.warn("{} now ({}); it goes on by itself when RabbitMQ is back", this.what, ex.getMessage());
			}
			this.known = true;
		}
	}

}
