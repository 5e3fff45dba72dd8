package io.parley.server.error;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a request or frame is refused. The message is meant for the client and
 * contains no internals of the server.
 */
public class ChatException extends RuntimeException {

	private final ErrorCode errorCode;

	private final @Nullable String clientId;

	private final Duration retryAfter;

	ChatException(ErrorCode errorCode, String message, @Nullable String clientId, Duration retryAfter) {
		super(message, null, false, false);
		this.errorCode = errorCode;
		this.clientId = clientId;
		this.retryAfter = retryAfter;
	}

	public ErrorCode errorCode() {
		return this.errorCode;
	}

	/** Returns the client id of the refused message, or null. */
	public @Nullable String clientId() {
		return this.clientId;
	}

	/** Returns a copy of this exception for the message with that client id. */
	public ChatException withClientId(@Nullable String clientId) {
		return new ChatException(this.errorCode, reason(), clientId, this.retryAfter);
	}

	/**
	 * Returns how many seconds the client should wait before it retries, where a retry
	 * can help. Rounded up, so that no client retries too early.
	 */
	public long retryAfterSeconds() {
		return this.retryAfter.plusNanos(999_999_999).toSeconds();
	}

	/** Returns the message, which is never null here. */
	public String reason() {
		return String.valueOf(getMessage());
	}

}
