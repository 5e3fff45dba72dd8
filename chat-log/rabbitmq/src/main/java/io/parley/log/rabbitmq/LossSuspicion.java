package io.parley.log.rabbitmq;

import java.util.function.BooleanSupplier;

import com.rabbitmq.stream.StreamDoesNotExistException;
import com.rabbitmq.stream.StreamException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Grows while something is wrong with a stream. While the nodes elect a leader they may
 * tell an old state once or twice, so only what is wrong several times in a row is
 * believed.
 */
final class LossSuspicion {

	private static final Logger logger = LoggerFactory.getLogger(LossSuspicion.class);

	private static final int ENOUGH = 3;

	private int times;

	/**
	 * Looks again; a broker that does not answer proves nothing.
	 * @return whether it is certain that something is wrong
	 */
	boolean isCertainAfter(BooleanSupplier isRight) {
		try {
			this.times = isRight.getAsBoolean() ? 0 : this.times + 1;
		}
		catch (StreamDoesNotExistException ex) {
			this.times++;
		}
		catch (StreamException | IllegalStateException ex) {
			logger.debug("The broker can't be asked for now: {}", ex.getMessage());
		}
		return this.times >= ENOUGH;
	}

}
