package io.parley.loadtest.life;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.stomp.EventBody;
import io.parley.loadtest.stomp.LoadMessage;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one user that the server has not confirmed. Safe for use by many
 * threads.
 */
final class UserOutbox {

	private static final long ANSWER_TIMEOUT = TimeUnit.SECONDS.toNanos(10);

	private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

	private static final Set<String> LATER = Set.of("rate-limited", "log-unavailable", "append-unknown", "server-busy");

	private final LifeContext life;

	private final LifeMeasures measures;

	/** The message that a frame refers to was deleted meanwhile, or edited too often. */
	private static final Set<String> OVERTAKEN = Set.of("message-deleted", "too-late");

	private final Map<Long, Sending> unconfirmed = new LinkedHashMap<>();

	private record Sending(String room, long thread, LoadMessage message, long at) {

		Sending at(long time) {
			return new Sending(this.room, this.thread, this.message, time);
		}

	}

	UserOutbox(LifeContext life) {
		this.life = life;
		this.measures = life.measures;
	}

	/**
	 * Sends a message, and keeps it until it is confirmed.
	 * @param session null without a connection
	 * @param thread the position of the message to reply to in its thread; 0 for none
	 */
	synchronized void send(@Nullable LifeSession session, String room, long thread, LoadMessage message) {
		if (message.isCounted()) {
			this.measures.all.sent.increment();
		}
		this.unconfirmed.put(message.sequence(), new Sending(room, thread, message, System.nanoTime()));
		if (session != null) {
			session.send(room, thread, message);
		}
	}

	/**
	 * Sends everything again on a new connection.
	 */
	synchronized void resume(LifeSession session) {
		long now = System.nanoTime();
		new ArrayList<>(this.unconfirmed.values()).forEach((sending) -> sendAgain(session, sending, now));
	}

	/**
	 * Sends again what was not answered in time.
	 */
	synchronized void sendAgain(LifeSession session, long now) {
		new ArrayList<>(this.unconfirmed.values()).stream()
			.filter((sending) -> now - sending.at > ANSWER_TIMEOUT)
			.forEach((sending) -> sendAgain(session, sending, now));
	}

	private void sendAgain(LifeSession session, Sending sending, long now) {
		this.measures.resent.increment();
		this.unconfirmed.put(sending.message.sequence(), sending.at(now));
		session.send(sending.room, sending.thread, sending.message);
	}

	synchronized void confirmed(LoadMessage message) {
		Sending sending = this.unconfirmed.remove(message.sequence());
		if (sending != null && message.isCounted()) {
			Measures.since(message.intended(), this.measures.all.accepting);
			this.measures.all.accepted.increment();
			this.life.ledger(sending.room).expect(message.sequence());
		}
	}

	/**
	 * Handles an error event. A message that may be accepted later is sent again.
	 */
	synchronized void refused(EventBody error) {
		if (OVERTAKEN.contains(error.code())) {
			this.measures.overtaken.increment();
		}
		else {
			this.measures.all.error("frame refused with " + error.code());
		}
		LoadMessage message = LoadMessage.parse(error.receipt());
		Sending sending = (message != null) ? this.unconfirmed.remove(message.sequence()) : null;
		if (sending != null && LATER.contains(error.code())) {
			long at = System.nanoTime() - ANSWER_TIMEOUT + PAUSE;
			this.unconfirmed.put(sending.message.sequence(), sending.at(at));
		}
	}

	/**
	 * Returns the number of counted messages that are not confirmed.
	 */
	synchronized long unconfirmed() {
		return this.unconfirmed.values().stream().filter((sending) -> sending.message.isCounted()).count();
	}

}
