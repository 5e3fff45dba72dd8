package io.parley.server.error;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A request or frame was refused. Its message is meant for the client and holds nothing
 * about the inside of the server.
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

	/** The client's id of the message that was refused, when it was one. */
	public @Nullable String clientId() {
		return this.clientId;
	}

	/** The same refusal, of the message with that client id. */
	public ChatException of(@Nullable String clientId) {
		return new ChatException(this.refusal, reason(), clientId, this.retryAfter);
	}

	/** When to try again, where that can help. */
	Duration retryAfter() {
		return this.retryAfter;
	}

	/** The message never is null here. */
	public String reason() {
		return String.valueOf(getMessage());
	}

}
