package io.parley.server.session;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

import io.netty.util.HashedWheelTimer;
import io.parley.server.error.ErrorCode;
import jakarta.annotation.PreDestroy;

import org.springframework.stereotype.Component;
import org.springframework.web.socket.CloseStatus;

/**
 * Beats to the clients that asked for it, and closes the sessions that promised to beat
 * and are silent, that have not read for long, whose token has expired, or that never
 * sent a valid CONNECT. A wheel: each session is looked at by itself when something of it
 * may be due, so that thousands of looks never hold up what is delivered. On a thread of
 * its own, because other scheduled work may wait for the database.
 */
@Component
class SessionWatch {

	/** Application close codes start at 4000. */
	static final CloseStatus TOKEN_EXPIRED = new CloseStatus(4401, ErrorCode.TOKEN_EXPIRED.code());

	private static final CloseStatus NO_CONNECT = new CloseStatus(4408, "no CONNECT in time");

	private static final CloseStatus SILENT = new CloseStatus(4408, "no heart-beat");

	private static final long TICK_MILLIS = 100;

	/** A new token may expire sooner than the one before. */
	private static final long LONGEST_PAUSE_MILLIS = 5_000;

	/** CONNECT may bring heart-beats. */
	private static final long PAUSE_BEFORE_CONNECT_MILLIS = 500;

	/** The network takes time too, and the wheel is not exact. */
	private static final long EARLY_MILLIS = 500;

	/** How many beats may be missing. */
	private static final int PATIENCE = 3;

	private final HashedWheelTimer wheel = new HashedWheelTimer(
			Thread.ofPlatform().daemon().name("session-watch").factory(), TICK_MILLIS, TimeUnit.MILLISECONDS);

	private final Duration connectTimeout;

	private final long stallMillis;

	SessionWatch(SessionProperties properties) {
		this.connectTimeout = properties.connectTimeout();
		this.stallMillis = properties.stallTimeout().toMillis();
	}

	/** Looks at a session from now on until it has ended. */
	void watch(ChatSession session) {
		lookAfter(PAUSE_BEFORE_CONNECT_MILLIS, session);
	}

	private void lookAfter(long millis, ChatSession session) {
		this.wheel.newTimeout((timeout) -> look(session), millis, TimeUnit.MILLISECONDS);
	}

	private void look(ChatSession session) {
		if (!session.ended()) {
			lookAfter(Math.max(TICK_MILLIS, pauseAfterLook(session)), session);
		}
	}

	/** Does what is due; the milliseconds until something may be due again. */
	long pauseAfterLook(ChatSession session) {
		long now = System.nanoTime();
		return Math.min(expiry(session), Math.min(beat(session, now), silence(session, now)));
	}

	/** The milliseconds until the session may have to be closed, as all of these. */
	private long expiry(ChatSession session) {
		boolean connected = session.principal() != null;
		long longest = connected ? LONGEST_PAUSE_MILLIS : PAUSE_BEFORE_CONNECT_MILLIS;
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

	private long beat(ChatSession session, long now) {
		Outbox outbox = session.outbox();
		long every = session.heartBeat().toClient();
		long quiet = millis(now - outbox.lastProgress());
		long longest = (every > 0) ? every - Math.min(EARLY_MILLIS, every / 2) : this.stallMillis;
		if (outbox.waiting()) {
			if (quiet > this.stallMillis) {
				session.close(ChatSession.FELL_BEHIND);
			}
			// The socket may take it the next moment, and then a beat is due before a
			// stall.
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

	private static long silence(ChatSession session, long now) {
		long longest = PATIENCE * session.heartBeat().fromClient();
		if (longest == 0) {
			return LONGEST_PAUSE_MILLIS;
		}
		long silent = millis(now - session.traffic().lastRead());
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
