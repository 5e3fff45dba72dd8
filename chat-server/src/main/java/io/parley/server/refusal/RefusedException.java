package io.parley.server.refusal;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A request or frame was refused. Its message is meant for the client and holds nothing
 * about the inside of the server.
 */
public class RefusedException extends RuntimeException {

	private final Refusal refusal;

	private final @Nullable String clientId;

	private final long retryAfterSeconds;

	RefusedException(Refusal refusal, String message, @Nullable String clientId) {
		this(refusal, message, clientId, 1);
	}

	private RefusedException(Refusal refusal, String message, @Nullable String clientId, long retryAfterSeconds) {
		super(message, null, false, false);
		this.refusal = refusal;
		this.clientId = clientId;
		this.retryAfterSeconds = retryAfterSeconds;
	}

	public Refusal refusal() {
		return this.refusal;
	}

	/** The client's id of the message that was refused, when it was one. */
	public @Nullable String clientId() {
		return this.clientId;
	}

	/** The same refusal, of the message with that client id. */
	public RefusedException of(@Nullable String clientId) {
		return new RefusedException(this.refusal, reason(), clientId, this.retryAfterSeconds);
	}

	/** The same refusal, with the time after which it is worth to try again. */
	public RefusedException retryAfter(Duration wait) {
		return new RefusedException(this.refusal, reason(), this.clientId,
				Math.max(1, wait.plusMillis(999).toSeconds()));
	}

	/** After how many seconds it is worth to try again, at least 1. */
	long retryAfterSeconds() {
		return this.retryAfterSeconds;
	}

	/** The message never is null here. */
	public String reason() {
		return String.valueOf(getMessage());
	}

}
