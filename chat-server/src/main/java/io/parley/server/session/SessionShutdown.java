package io.parley.server.session;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import org.springframework.web.socket.CloseStatus;

/**
 * Says goodbye to the clients before the web server stops, which would cut them off. The
 * receipts of what is under way go out first.
 */
@Component
class SessionShutdown implements SmartLifecycle {

	private static final long GOODBYE_MILLIS = 10_000;

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
		this.sessions.forEach(
				(session) -> session.appends().whenComplete((ended, failure) -> session.close(CloseStatus.GOING_AWAY)));
		awaitNoSessions();
	}

	private void awaitNoSessions() {
		long deadline = System.currentTimeMillis() + GOODBYE_MILLIS;
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
