package io.parley.server.testing;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import tools.jackson.databind.JsonNode;

import org.springframework.messaging.Message;
import org.springframework.messaging.simp.stomp.StompDecoder;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/** A received STOMP frame; a heart-beat has no command. */
public record Frame(String command, Map<String, String> headers, String body) {

	private static final StompDecoder DECODER = new StompDecoder();

	/** Decodes a WebSocket message, which must hold exactly one frame. */
	static Frame decode(String text) {
		List<Message<byte[]>> messages = DECODER.decode(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
		if (messages.size() != 1) {
			throw new AssertionError(messages.size() + " frames in one message: " + text);
		}
		StompHeaderAccessor accessor = StompHeaderAccessor.wrap(messages.getFirst());
		Map<String, String> headers = new LinkedHashMap<>();
		accessor.toNativeHeaderMap().forEach((name, values) -> headers.put(name, values.getFirst()));
		String command = (accessor.getCommand() != null) ? accessor.getCommand().name() : "";
		return new Frame(command, headers, new String(messages.getFirst().getPayload(), StandardCharsets.UTF_8));
	}

	/** Encodes any client frame. Header values are escaped as STOMP 1.2 requires. */
	public static String encode(String command, Map<String, String> headers, String body) {
		StringBuilder text = new StringBuilder(command).append('\n');
		headers.forEach((name, value) -> text.append(name).append(':').append(escape(value)).append('\n'));
		return text.append('\n').append(body).append('\0').toString();
	}

	private static String escape(String value) {
		return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace(":", "\\c");
	}

	public String header(String name) {
		return this.headers.getOrDefault(name, "");
	}

	public JsonNode json() {
		return ChatApi.JSON.readTree(this.body);
	}

	public boolean is(String command) {
		return this.command.equals(command);
	}

	public boolean isMessageOf(String subscription) {
		return is("MESSAGE") && header("subscription").equals(subscription);
	}

	public boolean isReceipt(String id) {
		return is("RECEIPT") && header("receipt-id").equals(id);
	}

}
