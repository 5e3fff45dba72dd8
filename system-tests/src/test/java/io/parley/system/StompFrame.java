package io.parley.system;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import org.springframework.messaging.simp.stomp.StompCommand;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/** A frame from the server. */
public record StompFrame(StompHeaderAccessor headers, byte[] body) {

	public @Nullable StompCommand command() {
		return this.headers.getCommand();
	}

	public @Nullable String header(String name) {
		return this.headers.getFirstNativeHeader(name);
	}

	public JsonNode json() {
		return ChatApi.JSON.readTree(this.body);
	}

}
