package io.parley.system;

import java.util.Map;

/**
 * A message of the crash test.
 *
 * @param number grows with each message of the sender, over all rooms
 */
record TestMessage(String room, String sender, long number) {

	String clientId() {
		return this.sender + "-" + this.number;
	}

	String json() {
		return ChatApi.JSON.writeValueAsString(Map.of("clientId", clientId(), "text", "message " + this.number));
	}

}
