package io.parley.system;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import org.springframework.messaging.simp.stomp.StompCommand;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/** A frame from the server. */
record StompFrame(StompHeaderAccessor headers, byte[] body) {

	@Nullable StompCommand command() {
		return this.headers.getCommand();
	}

	@Nullable String header(String name) {
		return this.headers.getFirstNativeHeader(name);
	}

	JsonNode json() {
		return ChatApi.JSON.readTree(this.body);
	}

}
