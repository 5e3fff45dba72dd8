package io.parley.server.session;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

import io.netty.util.HashedWheelTimer;
import io.parley.server.error.ErrorCode;
import io.parley.server.websocket.Outbox;
import jakarta.annotation.PreDestroy;

import org.springframework.stereotype.Component;
import org.springframework.web.socket.CloseStatus;

/**
 * Sends heart-beats to the clients that requested them. Closes sessions that miss the
 * heart-beats they promised, that have not read for too long, whose token has expired, or
 * that never sent a valid CONNECT. Uses a timer wheel: each session is checked separately
 * when something may be due, so that thousands of checks never delay deliveries. Runs on
 * its own thread, because other scheduled jobs may wait for the database.
 */
@Component
class SessionWatch {

	/** Application close codes start at 4000. */
	static final CloseStatus TOKEN_EXPIRED = new CloseStatus(4401, ErrorCode.TOKEN_EXPIRED.code());

	private static final CloseStatus NO_CONNECT = new CloseStatus(4408, "no CONNECT in time");

	private static final CloseStatus SILENT = new CloseStatus(4408, "no heart-beat");

	private static final long TICK_MILLIS = 100;

	/** A new token may expire sooner than the previous one. */
	private static final long MAX_DELAY_MILLIS = 5_000;

	/** CONNECT may negotiate heart-beats. */
	private static final long DELAY_BEFORE_CONNECT_MILLIS = 500;

	/**
	 * Heart-beats are sent early, because the network takes time too and the wheel is not
	 * exact.
	 */
	private static final long EARLY_MILLIS = 500;

	/** Number of intervals without a sign of life before a session is closed. */
	private static final int MAX_MISSED_BEATS = 3;

	private final HashedWheelTimer wheel = new HashedWheelTimer(
			Thread.ofPlatform().daemon().name("session-watch").factory(), TICK_MILLIS, TimeUnit.MILLISECONDS);

	private final Duration connectTimeout;

	private final long stallMillis;

	SessionWatch(SessionProperties properties) {
		this.connectTimeout = properties.connectTimeout();
		this.stallMillis = properties.stallTimeout().toMillis();
	}

	/** Checks a session from now on until it has ended. */
	void watch(ChatSession session) {
		checkAfter(DELAY_BEFORE_CONNECT_MILLIS, session);
	}

	private void checkAfter(long millis, ChatSession session) {
		this.wheel.newTimeout((timeout) -> check(session), millis, TimeUnit.MILLISECONDS);
	}

	private void check(ChatSession session) {
		if (!session.ended()) {
			checkAfter(Math.max(TICK_MILLIS, checkAndGetDelay(session)), session);
		}
	}

	/**
	 * Does what is due, and returns the milliseconds until something may be due again.
	 */
	long checkAndGetDelay(ChatSession session) {
		long now = System.nanoTime();
		return Math.min(checkExpiry(session), Math.min(checkBeat(session, now), checkSilence(session, now)));
	}

	/**
	 * Closes the session if its token has expired or CONNECT is overdue. Like the other
	 * checks, returns the milliseconds until the next check.
	 */
	private long checkExpiry(ChatSession session) {
		boolean connected = session.principal() != null;
		long longest = connected ? MAX_DELAY_MILLIS : DELAY_BEFORE_CONNECT_MILLIS;
		Instant end = connected ? session.expiresAt() : session.openedAt().plus(this.connectTimeout);
		Instant now = Instant.now();
		if (end.isAfter(now.plusMillis(longest))) {
			return longest;
		}
		if (!end.isAfter(now)) {
			session.close(connected ? TOKEN_EXPIRED : NO_CONNECT);
		}
		return now.until(end).toMillis() + 1;
	}

	private long checkBeat(ChatSession session, long now) {
		Outbox outbox = session.outbox();
		long every = session.heartBeat().toClient();
		long quiet = millis(now - outbox.lastProgress());
		long longest = (every > 0) ? every - Math.min(EARLY_MILLIS, every / 2) : this.stallMillis;
		if (outbox.hasPendingFrames()) {
			if (quiet > this.stallMillis) {
				session.close(ChatSession.FELL_BEHIND);
			}
			// The socket may take the frames in a moment, and then a heart-beat is due
			// before the stall timeout.
			return Math.min(longest, this.stallMillis - quiet + 1);
		}
		if (every == 0) {
			return longest;
		}
		if (quiet >= longest) {
			session.send(StompFrames.HEART_BEAT);
			return Math.min(longest, this.stallMillis);
		}
		return Math.min(longest - quiet, this.stallMillis);
	}

	/**
	 * A client whose frame is being handled is not silent: its heart-beats are not read.
	 */
	private static long checkSilence(ChatSession session, long now) {
		long longest = MAX_MISSED_BEATS * session.heartBeat().fromClient();
		if (longest == 0) {
			return MAX_DELAY_MILLIS;
		}
		long silent = millis(session.traffic().silentNanos(now));
		if (silent > longest) {
			session.close(SILENT);
		}
		return longest - silent + 1;
	}

	private static long millis(long nanos) {
		return TimeUnit.NANOSECONDS.toMillis(nanos);
	}

	@PreDestroy
	void stop() {
		this.wheel.stop();
	}

}
