package io.parley.server.session;

import java.nio.charset.StandardCharsets;

import io.parley.events.Destination;
import io.parley.events.FeatureLevel;
import io.parley.server.websocket.WebSocketFrames;

import org.springframework.messaging.simp.stomp.StompCommand;
import org.springframework.messaging.simp.stomp.StompEncoder;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.util.MimeTypeUtils;

/**
 * Encodes the frames that the server sends. Each is a complete WebSocket message with its
 * header.
 */
public final class StompFrames {

	static final byte[] HEART_BEAT = WebSocketFrames.text("\n".getBytes(StandardCharsets.UTF_8));

	private static final StompEncoder ENCODER = new StompEncoder();

	private static final byte[] EMPTY = {};

	private StompFrames() {
	}

	/** Encodes a MESSAGE with a JSON body and no position. */
	public static byte[] message(String subscription, Destination destination, String messageId, byte[] json) {
		StompHeaderAccessor frame = frame(subscription, destination, messageId);
		return encode(frame, json);
	}

	/** Encodes a MESSAGE with an event and its position. */
	public static byte[] event(String subscription, Destination destination, long position, long prev, byte[] json) {
		StompHeaderAccessor frame = frame(subscription, destination, String.valueOf(position));
		frame.setNativeHeader("position", String.valueOf(position));
		frame.setNativeHeader("prev", String.valueOf(prev));
		return encode(frame, json);
	}

	private static StompHeaderAccessor frame(String subscription, Destination destination, String messageId) {
		StompHeaderAccessor frame = StompHeaderAccessor.create(StompCommand.MESSAGE);
		frame.setSubscriptionId(subscription);
		frame.setMessageId(messageId);
		frame.setDestination(destination.toString());
		frame.setContentType(MimeTypeUtils.APPLICATION_JSON);
		return frame;
	}

	private static byte[] encode(StompHeaderAccessor frame, byte[] body) {
		return WebSocketFrames.text(ENCODER.encode(frame.getMessageHeaders(), body));
	}

	/** Encodes a RECEIPT. */
	public static byte[] receipt(String receipt) {
		StompHeaderAccessor frame = StompHeaderAccessor.create(StompCommand.RECEIPT);
		frame.setReceiptId(receipt);
		return encode(frame, EMPTY);
	}

	static byte[] connected(String version, String user, long heartBeatMillis) {
		StompHeaderAccessor frame = StompHeaderAccessor.create(StompCommand.CONNECTED);
		frame.setVersion(version);
		frame.setHeartbeat(heartBeatMillis, heartBeatMillis);
		frame.setNativeHeader("server", FeatureLevel.SERVER);
		frame.setNativeHeader("user-name", user);
		return encode(frame, EMPTY);
	}

}
