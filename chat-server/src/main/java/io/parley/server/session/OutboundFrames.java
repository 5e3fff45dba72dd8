package io.parley.server.session;

import java.util.concurrent.atomic.AtomicLong;

import io.parley.events.Destination;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Sends frames to a session, in the order of the calls and after the frames that are
 * already queued. No call waits for the socket.
 */
@Component
public class OutboundFrames {

	/** Numbers the messages that have no position. */
	private final AtomicLong lastMessageId = new AtomicLong();

	private final long heartBeatMillis;

	OutboundFrames(SessionProperties properties) {
		this.heartBeatMillis = properties.heartBeat().toMillis();
	}

	/** Sends CONNECTED, with the version of STOMP that both sides support. */
	public void connected(ChatSession session, String version) {
		session.send(StompFrames.connected(version, session.user(), this.heartBeatMillis));
	}

	/** Sends a MESSAGE with a JSON body and no position. */
	public void message(ChatSession session, String subscription, Destination destination, byte[] json) {
		session.send(StompFrames.message(subscription, destination, nextId(), json));
	}

	/** Returns the id of a message that has no position. */
	public String nextId() {
		return "e" + this.lastMessageId.incrementAndGet();
	}

	/** Sends the RECEIPT if the client has requested one. */
	public void receipt(ChatSession session, @Nullable String receipt) {
		if (receipt != null) {
			session.send(StompFrames.receipt(receipt));
		}
	}

}
