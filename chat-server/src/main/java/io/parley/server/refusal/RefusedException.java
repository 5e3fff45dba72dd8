package io.parley.server.refusal;

import org.jspecify.annotations.Nullable;

/**
 * A request or frame was refused. Its message is meant for the client and holds nothing
 * about the inside of the server.
 */
public class RefusedException extends RuntimeException {

	private final Refusal refusal;

	private final @Nullable String clientId;

	RefusedException(Refusal refusal, String message, @Nullable String clientId) {
		super(message, null, false, false);
		this.refusal = refusal;
		this.clientId = clientId;
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
		return new RefusedException(this.refusal, reason(), clientId);
	}

	/** The message never is null here. */
	public String reason() {
		return String.valueOf(getMessage());
	}

}
