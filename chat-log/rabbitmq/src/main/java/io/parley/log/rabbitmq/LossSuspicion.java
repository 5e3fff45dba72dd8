package io.parley.log.rabbitmq;

import java.util.function.BooleanSupplier;

import com.rabbitmq.stream.StreamDoesNotExistException;
import com.rabbitmq.stream.StreamException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the consecutive checks that found a problem with a stream. During a leader
 * election the nodes may report an old state once or twice, so only several such checks
 * in a row count.
 */
final class LossSuspicion {

	private static final Logger logger = LoggerFactory.getLogger(LossSuspicion.class);

	private static final int THRESHOLD = 3;

	private int times;

	/**
	 * Checks again. A broker that does not answer proves nothing.
	 * @return whether the problem is certain
	 */
	boolean isCertainAfter(BooleanSupplier isIntact) {
		try {
			this.times = isIntact.getAsBoolean() ? 0 : this.times + 1;
		}
		catch (StreamDoesNotExistException ex) {
			this.times++;
		}
		catch (StreamException | IllegalStateException ex) {
			logger.debug("The broker does not answer now: {}", ex.getMessage());
		}
		return this.times >= THRESHOLD;
	}

}
