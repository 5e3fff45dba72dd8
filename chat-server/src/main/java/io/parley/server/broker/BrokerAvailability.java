package io.parley.server.broker;

import org.springframework.context.event.EventListener;
import org.springframework.messaging.simp.broker.BrokerAvailabilityEvent;
import org.springframework.stereotype.Component;

/** The availability of the external broker. Always available if there is none. */
@Component
public class BrokerAvailability {

	private volatile boolean available;

	BrokerAvailability(BrokerProperties properties) {
		this.available = properties.mode() != BrokerProperties.Mode.RELAY;
	}

	public boolean isAvailable() {
		return this.available;
	}

	@EventListener
	void on(BrokerAvailabilityEvent event) {
		this.available = event.isBrokerAvailable();
	}

}
