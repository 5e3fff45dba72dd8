package io.parley.server.session;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import org.springframework.web.socket.CloseStatus;

/**
 * Closes the sessions before the web server stops, which would abort their connections.
 * The receipts of appends in progress are sent first.
 */
@Component
class SessionShutdown implements SmartLifecycle {

	private static final long CLOSE_TIMEOUT_MILLIS = 10_000;

	private final SessionRegistry sessions;

	private volatile boolean running;

	SessionShutdown(SessionRegistry sessions) {
		this.sessions = sessions;
	}

	@Override
	public void start() {
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
		this.sessions.forEach((session) -> session.pendingAppends()
			.whenComplete((ended, failure) -> session.close(CloseStatus.GOING_AWAY)));
		awaitNoSessions();
	}

	private void awaitNoSessions() {
		long deadline = System.currentTimeMillis() + CLOSE_TIMEOUT_MILLIS;
		try {
			while (this.sessions.count() > 0 && System.currentTimeMillis() < deadline) {
				Thread.sleep(20);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/** Starts after the web server and stops before it. */
	@Override
	public int getPhase() {
		return Integer.MAX_VALUE;
	}

}
