package io.parley.server.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import org.springframework.web.socket.CloseStatus;

/**
 * Closes the sessions before the web server stops, which would abort their connections.
 * Closes them one after the other, so that not all clients sign in again at the same
 * moment; those that wait chat on. New ones are refused meanwhile. The receipts of
 * appends in progress are sent first.
 */
@Component
class SessionShutdown implements SmartLifecycle {

	/** All sessions are closed within this time, if need be at a higher rate. */
	private static final Duration MAX_DURATION = Duration.ofSeconds(30);

	private static final long CLOSE_TIMEOUT_MILLIS = 10_000;

	private static final Logger logger = LoggerFactory.getLogger(SessionShutdown.class);

	private final SessionRegistry sessions;

	private final int rate;

	private volatile boolean running;

	SessionShutdown(SessionRegistry sessions, SessionProperties properties) {
		this.sessions = sessions;
		this.rate = properties.drainRate();
	}

	@Override
	public void start() {
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
		try {
			closeInTurn();
			awaitNoSessions();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void closeInTurn() throws InterruptedException {
		List<ChatSession> all = new ArrayList<>();
		this.sessions.forEach(all::add);
		long nanosPerSession = nanosPerSession(all.size());
		if (!all.isEmpty()) {
			logger.info("Closing {} sessions within {} s", all.size(),
					TimeUnit.NANOSECONDS.toSeconds(nanosPerSession * all.size()) + 1);
		}
		long start = System.nanoTime();
		for (int i = 0; i < all.size(); i++) {
			// A sleep of less than a millisecond takes longer than it says.
			long wait = start + i * nanosPerSession - System.nanoTime();
			if (wait >= TimeUnit.MILLISECONDS.toNanos(1)) {
				TimeUnit.NANOSECONDS.sleep(wait);
			}
			close(all.get(i));
		}
	}

	/** Returns the time between two sessions; 0 if all are closed at once. */
	private long nanosPerSession(int sessions) {
		if (this.rate == 0 || sessions == 0) {
			return 0;
		}
		return Math.min(TimeUnit.SECONDS.toNanos(1) / this.rate, MAX_DURATION.toNanos() / sessions);
	}

	private static void close(ChatSession session) {
		session.pendingAppends().whenComplete((ended, failure) -> session.close(CloseStatus.GOING_AWAY));
	}

	private void awaitNoSessions() throws InterruptedException {
		// Some were opened by upgrades that had been admitted before.
		this.sessions.forEach(SessionShutdown::close);
		long deadline = System.currentTimeMillis() + CLOSE_TIMEOUT_MILLIS;
		while (!this.sessions.isEmpty() && System.currentTimeMillis() < deadline) {
			Thread.sleep(20);
		}
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/** Starts after everything else and stops before it. */
	@Override
	public int getPhase() {
		return DEFAULT_PHASE;
	}

}
