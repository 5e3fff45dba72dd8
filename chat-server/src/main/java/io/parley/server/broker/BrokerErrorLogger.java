package io.parley.server.broker;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.messaging.simp.stomp.StompCommand;
import org.springframework.messaging.simp.stomp.StompHeaders;
import org.springframework.messaging.simp.stomp.StompSession;
import org.springframework.messaging.simp.stomp.StompSessionHandlerAdapter;

/** Logs the ERROR frames of the broker. The broker then closes the connection. */
abstract class BrokerErrorLogger extends StompSessionHandlerAdapter {

	private static final Logger log = LoggerFactory.getLogger(BrokerErrorLogger.class);

	private final BrokerProperties.Relay broker;

	BrokerErrorLogger(BrokerProperties.Relay broker) {
		this.broker = broker;
	}

	@Override
	public Type getPayloadType(StompHeaders headers) {
		return byte[].class;
	}

	/** Logs an ERROR frame. */
	@Override
	public void handleFrame(StompHeaders headers, @Nullable Object payload) {
		log.warn("ERROR frame from the broker, {}: {}", this.broker, reason(headers, payload));
	}

	/**
	 * Returns the text of an ERROR frame in one line. Some brokers append a stack trace.
	 */
	static String reason(StompHeaders headers, @Nullable Object payload) {
		String message = String.valueOf(headers.getFirst("message"));
		String text = (payload instanceof byte[] body) ? new String(body, StandardCharsets.UTF_8).strip() : "";
		String detail = text.lines().findFirst().orElse("");
		return (detail.isEmpty() || detail.equals(message)) ? message : message + " " + detail;
	}

	@Override
	public void handleException(StompSession stomp, @Nullable StompCommand command, StompHeaders headers,
			byte[] payload, Throwable ex) {
		log.error("Failed to handle a {} frame from the broker", command, ex);
	}

}
