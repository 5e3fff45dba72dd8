package io.parley.server.stomp;

import io.parley.server.error.ChatException;
import io.parley.server.error.ExceptionTranslator;
import io.parley.server.error.Refusals;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.messaging.Message;
import org.springframework.messaging.simp.stomp.StompCommand;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.stereotype.Component;
import org.springframework.util.MimeTypeUtils;
import org.springframework.web.socket.messaging.StompSubProtocolErrorHandler;

/**
 * Creates ERROR frames. They contain a code and a sentence, but no internal details of
 * the server.
 */
@Component
class ErrorFrames extends StompSubProtocolErrorHandler {

	private final JsonMapper json;

	private final Refusals refusals;

	ErrorFrames(JsonMapper json, Refusals refusals) {
		this.json = json;
		this.refusals = refusals;
	}

	private record Body(String type, String code, String message) {
	}

	@Override
	public Message<byte[]> handleClientMessageProcessingError(@Nullable Message<byte[]> clientMessage, Throwable ex) {
		ChatException error = ExceptionTranslator.ofLastFrame(ex);
		this.refusals.count(error.errorCode());
		StompHeaderAccessor frame = StompHeaderAccessor.create(StompCommand.ERROR);
		frame.setMessage(error.errorCode().code());
		frame.setContentType(MimeTypeUtils.APPLICATION_JSON);
		String receipt = receipt(clientMessage);
		if (receipt != null) {
			frame.setReceiptId(receipt);
		}
		frame.setLeaveMutable(true);
		return MessageBuilder.createMessage(
				this.json.writeValueAsBytes(new Body("error", error.errorCode().code(), error.reason())),
				frame.getMessageHeaders());
	}

	private static @Nullable String receipt(@Nullable Message<byte[]> clientMessage) {
		if (clientMessage == null) {
			return null;
		}
		return FrameHeaders.receiptForError(StompHeaderAccessor.wrap(clientMessage));
	}

}
