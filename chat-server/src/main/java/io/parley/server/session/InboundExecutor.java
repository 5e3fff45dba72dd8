package io.parley.server.session;

import org.springframework.stereotype.Component;

/**
 * Holds the executor of the client inbound channel. It is no bean of its own, because
 * Spring Boot would take a lone executor bean for everything else too.
 */
@Component
public class InboundExecutor {

	private final SessionExecutor lanes;

	InboundExecutor(SessionProperties properties) {
		this.lanes = new SessionExecutor(properties.inboundBytes().toBytes());
	}

	/** Where frames from clients are handled; may block. */
	public SessionExecutor lanes() {
		return this.lanes;
	}

}
