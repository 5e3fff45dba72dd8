package io.parley.loadtest;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * What one user has to send, oldest first, until the server has confirmed it. Not safe
 * for concurrent use.
 */
final class Outbox {

	private static final int MOST_IN_FLIGHT = 40;

	/** Above what the server itself waits for its log. */
	private static final long NO_ANSWER = TimeUnit.SECONDS.toNanos(20);

	private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

	private static final Set<String> WORTH_ANOTHER_TRY = Set.of("rate-limited", "log-unavailable", "append-unknown",
			"internal");

	private final String room;

	private final SendLedger ledger;

	private final TreeMap<Long, LoadMessage> waiting = new TreeMap<>();

	private final Map<Long, Sent> inFlight = new HashMap<>();

	private long pausedUntil = System.nanoTime();

	private record Sent(LoadMessage message, long at) {
	}

	Outbox(String room, SendLedger ledger) {
		this.room = room;
		this.ledger = ledger;
	}

	void add(LoadMessage message) {
		this.waiting.put(message.sequence(), message);
	}

	boolean isEmpty() {
		return this.waiting.isEmpty() && this.inFlight.isEmpty();
	}

	/** The next message to send now, or null. It is in flight from here on. */
	@Nullable LoadMessage next(long now) {
		if (this.waiting.isEmpty() || this.inFlight.size() >= MOST_IN_FLIGHT || now - this.pausedUntil < 0) {
			return null;
		}
		LoadMessage message = this.waiting.pollFirstEntry().getValue();
		this.inFlight.put(message.sequence(), new Sent(message, now));
		this.ledger.attempted(message.sequence(), this.room);
		return message;
	}

	void confirmed(long sequence) {
		this.inFlight.remove(sequence);
		this.waiting.remove(sequence);
		this.ledger.acknowledged(sequence);
	}

	/** The server refused it: it is sent again after a pause, where that can help. */
	void refused(long sequence, String code, long now) {
		Sent sent = this.inFlight.remove(sequence);
		this.ledger.refused.increment();
		if (sent == null || !WORTH_ANOTHER_TRY.contains(code)) {
			return;
		}
		if (!code.equals("rate-limited") && !code.equals("log-unavailable")) {
			this.ledger.unknown(sequence);
		}
		this.waiting.put(sequence, sent.message());
		this.pausedUntil = now + PAUSE;
	}

	/** The connection is gone: nobody knows what became of those in flight. */
	void connectionLost() {
		this.inFlight.values().forEach(this::sendAgain);
		this.inFlight.clear();
	}

	/** Gives up waiting for answers that should be here long ago. */
	void expire(long now) {
		this.inFlight.values().removeIf((sent) -> {
			boolean late = now - sent.at() > NO_ANSWER;
			if (late) {
				sendAgain(sent);
			}
			return late;
		});
	}

	private void sendAgain(Sent sent) {
		this.ledger.unknown(sent.message().sequence());
		this.waiting.put(sent.message().sequence(), sent.message());
	}

}
