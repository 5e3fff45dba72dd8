package io.parley.server.session;

import org.springframework.stereotype.Component;

/**
 * Holds the executor of the client inbound channel. It is no bean of its own, because
 * Spring Boot would take a lone executor bean for everything else too.
 */
@Component
public class InboundLanes {

	private final SessionLanes lanes;

	InboundLanes(SessionProperties properties) {
		this.lanes = new SessionLanes(properties.inboundBytes().toBytes());
	}

	/** Where frames from clients are handled; may block. */
	public SessionLanes lanes() {
		return this.lanes;
	}

}
