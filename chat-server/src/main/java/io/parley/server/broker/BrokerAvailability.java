package io.parley.server.broker;

import org.springframework.context.event.EventListener;
import org.springframework.messaging.simp.broker.BrokerAvailabilityEvent;

/** The availability of the broker behind this server. Safe for use by many threads. */
public class BrokerAvailability {

	private volatile boolean available;

	/**
	 * Creates the availability.
	 * @param available the value until the broker reports its own
	 */
	public BrokerAvailability(boolean available) {
		this.available = available;
	}

	public boolean isAvailable() {
		return this.available;
	}

	@EventListener
	void on(BrokerAvailabilityEvent event) {
		this.available = event.isBrokerAvailable();
	}

}
