package io.parley.loadtest.stomp;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

import org.springframework.messaging.simp.stomp.StompCommand;
import org.springframework.messaging.simp.stomp.StompEncoder;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/**
 * Creates the frames of a client with Spring's codec.
 */
public final class StompFrames {

	public static final byte[] HEART_BEAT = { '\n' };

	/** Heart-beat interval that the client requests for both directions. */
	static final long HEART_BEAT_MILLIS = 10_000;

	/** Id of the subscription to the user's own events. */
	public static final String OWN_EVENTS = "own";

	public static final String SUBSCRIBED = "subscribed";

	public static final String DISCONNECTED = "disconnected";

	private static final byte[] EMPTY = {};

	private static final StompEncoder ENCODER = new StompEncoder();

	private StompFrames() {
	}

	public static byte[] connect(String host, String token) {
		return encode(StompCommand.CONNECT, EMPTY, "accept-version", "1.2", "host", host, "heart-beat",
				HEART_BEAT_MILLIS + "," + HEART_BEAT_MILLIS, "Authorization", "Bearer " + token);
	}

	/**
	 * Returns a CONNECT without a token, with a login if there is one.
	 */
	public static byte[] plainConnect(String host, @Nullable String login, @Nullable String passcode) {
		StompHeaderAccessor accessor = accessor(StompCommand.CONNECT, "accept-version", "1.2", "host", host,
				"heart-beat", HEART_BEAT_MILLIS + "," + HEART_BEAT_MILLIS);
		if (login != null) {
			accessor.setLogin(login);
		}
		if (passcode != null) {
			// Spring keeps the passcode separate from the other headers.
			accessor.setPasscode(passcode);
		}
		return ENCODER.encode(accessor.getMessageHeaders(), EMPTY);
	}

	/**
	 * Returns a SUBSCRIBE to a room, without a receipt.
	 */
	public static byte[] plainSubscribe(String room) {
		return encode(StompCommand.SUBSCRIBE, EMPTY, "id", "room", "destination", "/topic/rooms." + room);
	}

	/**
	 * Returns a SUBSCRIBE to the user's own events, which include error events.
	 */
	public static byte[] subscribeToOwnEvents() {
		return encode(StompCommand.SUBSCRIBE, EMPTY, "id", OWN_EVENTS, "destination", "/user/queue/events");
	}

	/**
	 * Returns a SUBSCRIBE to a room.
	 * @param after the position to resume after; null to start with new events
	 */
	public static byte[] subscribe(String room, @Nullable Long after) {
		String destination = "/topic/rooms." + room;
		return (after != null)
				? encode(StompCommand.SUBSCRIBE, EMPTY, "id", "room", "destination", destination, "receipt", SUBSCRIBED,
						"after", after.toString())
				: encode(StompCommand.SUBSCRIBE, EMPTY, "id", "room", "destination", destination, "receipt",
						SUBSCRIBED);
	}

	/**
	 * Returns a SUBSCRIBE to a destination of another server, with a receipt.
	 */
	public static byte[] confirmedSubscribe(String destination) {
		return encode(StompCommand.SUBSCRIBE, EMPTY, "id", "room", "destination", destination, "receipt", SUBSCRIBED);
	}

	/**
	 * Returns a SUBSCRIBE without a receipt, for a session with many subscriptions.
	 * @param id of the subscription, which its messages carry
	 * @param after the position to resume after; null without one
	 */
	public static byte[] subscribe(String id, String destination, @Nullable Long after) {
		return (after != null)
				? encode(StompCommand.SUBSCRIBE, EMPTY, "id", id, "destination", destination, "after", after.toString())
				: encode(StompCommand.SUBSCRIBE, EMPTY, "id", id, "destination", destination);
	}

	public static byte[] unsubscribe(String id) {
		return encode(StompCommand.UNSUBSCRIBE, EMPTY, "id", id);
	}

	/**
	 * Returns a SEND of JSON without a receipt.
	 */
	public static byte[] sendJson(String destination, String json) {
		return encode(StompCommand.SEND, json.getBytes(StandardCharsets.UTF_8), "destination", destination,
				"content-type", "application/json");
	}

	/**
	 * Returns a SEND of a text without a receipt.
	 */
	public static byte[] sendText(String destination, byte[] text) {
		return encode(StompCommand.SEND, text, "destination", destination, "content-type", "text/plain");
	}

	public static byte[] send(String room, LoadMessage message) {
		return send(room, message, 0);
	}

	/**
	 * Returns a SEND of a reply in the thread of the message at a position.
	 */
	public static byte[] reply(String room, long thread, LoadMessage message) {
		return send(room, "{\"clientId\":\"%s\",\"thread\":%d,\"text\":\"%s\"}".formatted(message.clientId(), thread,
				message.text()), message);
	}

	/**
	 * Returns a SEND that gives a reaction to the message at a position, or takes it
	 * back, without a receipt.
	 */
	public static byte[] react(String room, long target, String key, boolean on) {
		return sendJson("/app/rooms." + room + ".react",
				"{\"target\":%d,\"key\":\"%s\",\"on\":%b}".formatted(target, key, on));
	}

	/**
	 * Returns a SEND with a text of at least that many bytes.
	 */
	public static byte[] send(String room, LoadMessage message, int size) {
		return send(room, json(message, message.text(size)), message);
	}

	private static byte[] send(String room, String json, LoadMessage message) {
		return encode(StompCommand.SEND, json.getBytes(StandardCharsets.UTF_8), "destination",
				"/app/rooms." + room + ".send", "content-type", "application/json", "receipt", message.receipt());
	}

	/**
	 * Returns a SEND with a text without characters that JSON escapes. The client id is
	 * also the id of the receipt.
	 */
	public static byte[] send(String room, String clientId, String text) {
		byte[] json = "{\"clientId\":\"%s\",\"text\":\"%s\"}".formatted(clientId, text)
			.getBytes(StandardCharsets.UTF_8);
		return encode(StompCommand.SEND, json, "destination", "/app/rooms." + room + ".send", "content-type",
				"application/json", "receipt", clientId);
	}

	/**
	 * Returns a SEND without a receipt.
	 */
	public static byte[] plainSend(String destination, LoadMessage message) {
		return sendJson(destination, json(message, message.text()));
	}

	private static String json(LoadMessage message, String text) {
		return "{\"clientId\":\"%s\",\"text\":\"%s\"}".formatted(message.clientId(), text);
	}

	public static byte[] disconnect() {
		return encode(StompCommand.DISCONNECT, EMPTY, "receipt", DISCONNECTED);
	}

	private static byte[] encode(StompCommand command, byte[] body, String... headers) {
		return ENCODER.encode(accessor(command, headers).getMessageHeaders(), body);
	}

	private static StompHeaderAccessor accessor(StompCommand command, String... headers) {
		StompHeaderAccessor accessor = StompHeaderAccessor.create(command);
		for (int i = 0; i < headers.length; i += 2) {
			accessor.setNativeHeader(headers[i], headers[i + 1]);
		}
		return accessor;
	}

}
