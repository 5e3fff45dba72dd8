package io.parley.log.rabbitmq;

import com.rabbitmq.stream.Resource;

/**
 * The state of one producer or consumer, and whether the client has given it up. The
 * client closes it when its stream was deleted. After some other failures, such as a
 * refused permission, it only logs a warning: a producer then stays in recovery for ever,
 * although the broker is available.
 *
 * <p>
 * Each attempt to connect needs a new instance, because a failed attempt reports that it
 * is opening and never that it has failed.
 */
final class ResourceState implements Resource.StateListener {

	/**
	 * In recovery at this many checks in a row means given up: they span twice the
	 * longest pause between two attempts of the client.
	 */
	private static final int CHECKS = 3;

	private volatile Resource.State state = Resource.State.OPENING;

	private int checksInRecovery;

	@Override
	public void handle(Resource.Context change) {
		this.state = change.currentState();
	}

	boolean isOpen() {
		return this.state == Resource.State.OPEN;
	}

	boolean isClosed() {
		return this.state == Resource.State.CLOSED;
	}

	/**
	 * Returns whether it must be replaced. Called at each periodic check, after the
	 * broker has answered; by one thread at a time.
	 */
	boolean isGivenUp() {
		this.checksInRecovery = (this.state == Resource.State.RECOVERING) ? this.checksInRecovery + 1 : 0;
		return isClosed() || this.checksInRecovery >= CHECKS;
	}

}
