package io.parley.server.delivery;

import io.parley.log.RoomLog;
import io.parley.log.SignalBus;

import org.springframework.stereotype.Component;

/**
 * Sends signals to the other chat-servers, for the sessions there that they concern.
 * Delivery is at most once: data that must not be lost goes through the log. The
 * {@link NodeReceiver} of the other servers receives them.
 */
@Component
class NodeMessenger {

	private final SignalBus bus;

	NodeMessenger(RoomLog log) {
		this.bus = log.signals();
	}

	/**
	 * Sends a signal to all other servers. Does not wait.
	 * @param key the room or the user
	 */
	void broadcast(NodeSignal.Kind kind, String key, byte[] json) {
		this.bus.publish(new NodeSignal(kind, key, json).encode());
	}

}
