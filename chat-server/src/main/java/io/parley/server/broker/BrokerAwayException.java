package io.parley.server.broker;

/** Thrown if the broker cannot be reached or does not answer. */
class BrokerAwayException extends RuntimeException {

	BrokerAwayException(String message, Throwable cause) {
		super(message, cause);
	}

	BrokerAwayException(String message) {
		super(message);
	}

}
