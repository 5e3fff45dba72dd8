package io.parley.server.testing;

import java.util.Map;
import java.util.ServiceLoader;

/**
 * Checks what the test clients send and receive. A module that has a check provides it as
 * a service; elsewhere nothing is checked. Used by many threads.
 */
public interface Contract {

	/** Handles a frame of the server. */
	void received(Frame frame);

	/** Handles a frame of the client that the server has confirmed. */
	void confirmed(String command, Map<String, String> headers, String body);

	/** Handles a response over HTTP, and the request if it was successful. */
	void answered(String method, String path, byte[] body, ChatApi.Answer answer);

	/** Returns the check of this module. */
	static Contract get() {
		return Holder.CONTRACT;
	}

	/** Loads the check when it is first needed. */
	final class Holder {

		private static final Contract CONTRACT = ServiceLoader.load(Contract.class).findFirst().orElseGet(None::new);

		private Holder() {
		}

	}

	/** Checks nothing. */
	final class None implements Contract {

		@Override
		public void received(Frame frame) {
		}

		@Override
		public void confirmed(String command, Map<String, String> headers, String body) {
		}

		@Override
		public void answered(String method, String path, byte[] body, ChatApi.Answer answer) {
		}

	}

}
