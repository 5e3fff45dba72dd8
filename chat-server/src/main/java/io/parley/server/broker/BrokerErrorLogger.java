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

/** Writes down what the broker does not like; the connection ends then anyway. */
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

	/** An ERROR frame. */
	@Override
	public void handleFrame(StompHeaders headers, @Nullable Object payload) {
		log.warn("The broker refuses, {}: {}", this.broker, reason(headers, payload));
	}

	/** What an ERROR frame says, in one line: some brokers append a stack trace. */
	static String reason(StompHeaders headers, @Nullable Object payload) {
		String message = String.valueOf(headers.getFirst("message"));
		String text = (payload instanceof byte[] body) ? new String(body, StandardCharsets.UTF_8).strip() : "";
		String detail = text.lines().findFirst().orElse("");
		return detail.isEmpty() || detail.equals(message) ? message : message + " " + detail;
	}

	@Override
	public void handleException(StompSession stomp, @Nullable StompCommand command, StompHeaders headers,
			byte[] payload, Throwable ex) {
		log.error("A {} of the broker was not handled", command, ex);
	}

}
