package io.parley.server.session;

import java.util.concurrent.atomic.AtomicLong;

import io.parley.events.Destination;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Sends frames to one session. They go out in the order of the calls, after the frames
 * that already wait; no call waits for the socket.
 */
@Component
public class OutboundFrames {

	/** Numbers the messages that have no position. */
	private final AtomicLong unplaced = new AtomicLong();

	private final long heartBeatMillis;

	OutboundFrames(SessionProperties properties) {
		this.heartBeatMillis = properties.heartBeat().toMillis();
	}

	/** The session is a user's, and speaks that version of STOMP. */
	public void connected(ChatSession session, String version) {
		session.send(StompFrames.connected(version, session.user(), this.heartBeatMillis));
	}

	/** A MESSAGE with a JSON body that has no position. */
	public void message(ChatSession session, String subscription, Destination destination, byte[] json) {
		session.send(StompFrames.message(subscription, destination, nextId(), json));
	}

	/** The id of a message that has no position. */
	public String nextId() {
		return "e" + this.unplaced.incrementAndGet();
	}

	/** The RECEIPT that was asked for, if one was. */
	public void receipt(ChatSession session, @Nullable String receipt) {
		if (receipt != null) {
			session.send(StompFrames.receipt(receipt));
		}
	}

}
