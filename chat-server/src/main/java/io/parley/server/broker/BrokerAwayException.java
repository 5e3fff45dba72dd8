package io.parley.server.broker;

/** The broker can't be reached now, or does not answer. */
class BrokerAwayException extends RuntimeException {

	BrokerAwayException(String message, Throwable cause) {
		super(message, cause);
	}

	BrokerAwayException(String message) {
		super(message);
	}

}
