package io.parley.server.error;

import java.time.Duration;

import org.springframework.http.HttpStatus;

/**
 * The reason why a request or frame was refused. The codes are part of the public
 * protocol and never change; {@code docs/protocol.md} lists all of them.
 */
public enum ErrorCode {

	UNAUTHORIZED("unauthorized", HttpStatus.UNAUTHORIZED),

	TOKEN_EXPIRED("token-expired", HttpStatus.UNAUTHORIZED),

	SIGNED_OUT("signed-out", HttpStatus.UNAUTHORIZED),

	NOT_A_MEMBER("not-a-member", HttpStatus.FORBIDDEN),

	NOT_ALLOWED("not-allowed", HttpStatus.FORBIDDEN),

	MUTED("muted", HttpStatus.FORBIDDEN),

	SUSPENDED("suspended", HttpStatus.FORBIDDEN),

	WRONG_PASSWORD("wrong-password", HttpStatus.FORBIDDEN),

	REGISTRATION_CLOSED("registration-closed", HttpStatus.FORBIDDEN),

	LAST_OPERATOR("last-operator", HttpStatus.CONFLICT),

	BAD_TOKEN("bad-token", HttpStatus.BAD_REQUEST),

	NOT_FOUND("not-found", HttpStatus.NOT_FOUND),

	USERNAME_TAKEN("username-taken", HttpStatus.CONFLICT),

	TOO_LATE("too-late", HttpStatus.CONFLICT),

	MESSAGE_REFUSED("message-refused", HttpStatus.FORBIDDEN),

	MESSAGE_DELETED("message-deleted", HttpStatus.CONFLICT),

	TOO_MANY_REACTIONS("too-many-reactions", HttpStatus.CONFLICT),

	TOO_MANY_DRAFTS("too-many-drafts", HttpStatus.CONFLICT),

	TOO_MANY_SCHEDULED("too-many-scheduled", HttpStatus.CONFLICT),

	TOO_MANY_PINS("too-many-pins", HttpStatus.CONFLICT),

	REPORT_CLOSED("report-closed", HttpStatus.CONFLICT),

	ROOM_FULL("room-full", HttpStatus.CONFLICT),

	BAD_REQUEST("bad-request", HttpStatus.BAD_REQUEST),

	BAD_DESTINATION("bad-destination", HttpStatus.BAD_REQUEST),

	BAD_FRAME("bad-frame", HttpStatus.BAD_REQUEST),

	BAD_MESSAGE("bad-message", HttpStatus.BAD_REQUEST),

	BAD_POSITION("bad-position", HttpStatus.BAD_REQUEST),

	MESSAGE_TOO_LARGE("message-too-large", HttpStatus.CONTENT_TOO_LARGE),

	RATE_LIMITED("rate-limited", HttpStatus.TOO_MANY_REQUESTS),

	SLOW_MODE("slow-mode", HttpStatus.TOO_MANY_REQUESTS),

	TOO_MANY_SESSIONS("too-many-sessions", HttpStatus.TOO_MANY_REQUESTS),

	TOO_MANY_SUBSCRIPTIONS("too-many-subscriptions", HttpStatus.TOO_MANY_REQUESTS),

	DUPLICATE_SUBSCRIPTION("duplicate-subscription", HttpStatus.CONFLICT),

	SERVER_BUSY("server-busy", HttpStatus.SERVICE_UNAVAILABLE),

	LOG_UNAVAILABLE("log-unavailable", HttpStatus.SERVICE_UNAVAILABLE),

	APPEND_UNKNOWN("append-unknown", HttpStatus.SERVICE_UNAVAILABLE),

	STORE_UNAVAILABLE("store-unavailable", HttpStatus.SERVICE_UNAVAILABLE),

	CHECK_UNAVAILABLE("check-unavailable", HttpStatus.SERVICE_UNAVAILABLE),

	ISSUER_UNAVAILABLE("issuer-unavailable", HttpStatus.SERVICE_UNAVAILABLE),

	INTERNAL("internal", HttpStatus.INTERNAL_SERVER_ERROR);

	private static final Duration DEFAULT_RETRY_AFTER = Duration.ofSeconds(1);

	private final String code;

	private final HttpStatus status;

	ErrorCode(String code, HttpStatus status) {
		this.code = code;
		this.status = status;
	}

	/** Returns the stable name used on the wire. */
	public String code() {
		return this.code;
	}

	/** Returns the HTTP status of this code. */
	public HttpStatus status() {
		return this.status;
	}

	/**
	 * Returns whether the same may be accepted after the time that the exception tells.
	 */
	public boolean isTemporary() {
		return this.status.is5xxServerError() || this == RATE_LIMITED || this == SLOW_MODE;
	}

	/**
	 * Creates an exception with this code.
	 * @param message for the client; says what to do
	 */
	public ChatException because(String message) {
		return new ChatException(this, message, null, DEFAULT_RETRY_AFTER);
	}

	/** Creates an exception for a request that may be retried after that time. */
	public ChatException because(String message, Duration retryAfter) {
		return new ChatException(this, message, null, retryAfter);
	}

	/** Creates an exception for the message with that client id. */
	public ChatException because(String message, String clientId) {
		return new ChatException(this, message, clientId, DEFAULT_RETRY_AFTER);
	}

}
