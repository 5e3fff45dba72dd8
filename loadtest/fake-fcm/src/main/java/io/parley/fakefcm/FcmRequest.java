package io.parley.fakefcm;

import java.time.Instant;

import tools.jackson.databind.JsonNode;

/**
 * One request to send a message.
 *
 * @param target the token or the installation id
 * @param targetKind {@code token} or {@code fid}
 * @param message the complete message
 * @param dryRun whether the request was for validation only
 * @param httpVersion {@code HTTP/2.0} or {@code HTTP/1.1}
 * @param connection the id of the connection
 */
public record FcmRequest(Instant time, String target, String targetKind, JsonNode message, boolean dryRun,
		String httpVersion, String connection) {

	static FcmRequest of(JsonNode body, String httpVersion, String connection) {
		JsonNode message = body.path("message");
		String kind = message.has("fid") ? "fid" : "token";
		return new FcmRequest(Instant.now(), message.path(kind).asString(""), kind, message,
				body.path("validate_only").asBoolean(false), httpVersion, connection);
	}

	/**
	 * Returns a string of the message's data; empty when the key is absent.
	 */
	public String data(String key) {
		return this.message.path("data").path(key).asString("");
	}

	/**
	 * Returns the key that identifies repeated deliveries.
	 */
	String identity() {
		return this.target + '\n' + data("room") + '\n' + data("position");
	}

}
