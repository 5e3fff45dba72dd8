package io.parley.server.error;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a request or frame is refused. The message is meant for the client and
 * contains no internals of the server.
 */
public class ChatException extends RuntimeException {

	private final ErrorCode refusal;

	private final @Nullable String clientId;

	private final Duration retryAfter;

	ChatException(ErrorCode refusal, String message, @Nullable String clientId, Duration retryAfter) {
		super(message, null, false, false);
		this.refusal = refusal;
		this.clientId = clientId;
		this.retryAfter = retryAfter;
	}

	public ErrorCode refusal() {
		return this.refusal;
	}

	/** Returns the client id of the refused message, or null. */
	public @Nullable String clientId() {
		return this.clientId;
	}

	/** Returns a copy of this exception for the message with that client id. */
	public ChatException of(@Nullable String clientId) {
		return new ChatException(this.refusal, reason(), clientId, this.retryAfter);
	}

	/**
	 * Returns how long the client should wait before it retries, where a retry can help.
	 */
	Duration retryAfter() {
		return this.retryAfter;
	}

	/** Returns the message, which is never null here. */
	public String reason() {
		return String.valueOf(getMessage());
	}

}
