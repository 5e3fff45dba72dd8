package io.parley.fakefcm;

/** The answers of FCM's HTTP v1 API. */
final class FcmAnswers {

	private static final String FCM_ERROR = "type.googleapis.com/google.firebase.fcm.v1.FcmError";

	private static final String BAD_REQUEST = "type.googleapis.com/google.rpc.BadRequest";

	private FcmAnswers() {
	}

	/**
	 * Returns the answer of a kind that has one.
	 * @throws IllegalArgumentException for the kinds that do not answer
	 */
	static Answer of(Behaviour.Kind kind, String name, String targetKind) {
		return switch (kind) {
			case OK -> new Answer(200, "{\"name\":\"%s\"}".formatted(name));
			case UNREGISTERED -> fcmError(404, "NOT_FOUND", "UNREGISTERED", "Requested entity was not found.");
			case INVALID_TOKEN -> fcmError(400, "INVALID_ARGUMENT", "INVALID_ARGUMENT",
					"The registration token is not a valid FCM registration token");
			case INVALID_TOKEN_FIELD -> violation("message." + targetKind, "Invalid registration token");
			case INVALID_PAYLOAD -> violation("message.android.ttl", "Illegal duration format");
			case SENDER_ID_MISMATCH -> fcmError(403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH", "SenderId mismatch");
			case THIRD_PARTY_AUTH_ERROR ->
				fcmError(401, "UNAUTHENTICATED", "THIRD_PARTY_AUTH_ERROR", "Auth error from APNS or Web Push Service");
			case UNAUTHENTICATED -> error(401, "UNAUTHENTICATED",
					"Request had invalid authentication credentials. Expected OAuth 2 access token.", "");
			case QUOTA_EXCEEDED -> fcmError(429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED",
					"Quota exceeded for quota metric 'Messages sent'");
			case UNAVAILABLE -> fcmError(503, "UNAVAILABLE", "UNAVAILABLE", "The service is currently unavailable.");
			case INTERNAL -> fcmError(500, "INTERNAL", "INTERNAL", "Internal error encountered.");
			case UNKNOWN_STATUS -> error(501, "UNIMPLEMENTED", "Operation is not implemented.", "");
			case BAD_GATEWAY -> new Answer(502, "<html><body><h1>502 Bad Gateway</h1></body></html>");
			case HANG, DISCONNECT, DISCONNECT_DELIVERED -> throw new IllegalArgumentException(kind + " has no answer");
		};
	}

	private static Answer fcmError(int code, String status, String errorCode, String message) {
		return error(code, status, message, "{\"@type\":\"%s\",\"errorCode\":\"%s\"}".formatted(FCM_ERROR, errorCode));
	}

	private static Answer violation(String field, String description) {
		return error(400, "INVALID_ARGUMENT", description,
				"{\"@type\":\"%s\",\"fieldViolations\":[{\"field\":\"%s\",\"description\":\"%s\"}]}"
					.formatted(BAD_REQUEST, field, description));
	}

	private static Answer error(int code, String status, String message, String detail) {
		return new Answer(code, """
				{"error":{"code":%d,"message":"%s","status":"%s","details":[%s]}}""".formatted(code, message, status,
				detail));
	}

	record Answer(int status, String body) {

		String contentType() {
			return this.body.startsWith("{") ? "application/json; charset=UTF-8" : "text/html";
		}

	}

}
