package io.parley.server.session;

import org.springframework.stereotype.Component;

/**
 * Holds the executor of the client inbound channel. The executor is not a bean, because
 * Spring Boot would use the only executor bean for everything else too.
 */
@Component
public class InboundExecutor {

	private final SessionExecutor executor;

	InboundExecutor(SessionProperties properties) {
		this.executor = new SessionExecutor(properties.inboundBytes().toBytes());
	}

	/** Returns the executor that handles frames from clients. Its tasks may block. */
	public SessionExecutor executor() {
		return this.executor;
	}

}
