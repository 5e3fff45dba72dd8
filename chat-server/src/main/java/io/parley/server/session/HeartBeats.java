package io.parley.server.session;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;

import org.springframework.stereotype.Component;
import org.springframework.web.socket.CloseStatus;

/**
 * Beats to the clients that asked for it, closes those that promised to beat and are
 * silent, and those that have not read for long. Looks twice a second, on a thread of its
 * own, because other scheduled work may wait for the database.
 */
@Component
class HeartBeats {

	private static final long TICK_MILLIS = 500;

	/** How many beats may be missing. */
	private static final int PATIENCE = 3;

	private static final CloseStatus SILENT = new CloseStatus(4408, "no heart-beat");

	private final ChatSessions sessions;

	private final long stallNanos;

	private final ScheduledExecutorService clock = Executors
		.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().name("heart-beats").factory());

	HeartBeats(ChatSessions sessions, SessionProperties properties) {
		this.sessions = sessions;
		this.stallNanos = properties.stallTimeout().toNanos();
	}

	@PostConstruct
	void start() {
		this.clock.scheduleAtFixedRate(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
	}

	@PreDestroy
	void stop() {
		this.clock.shutdown();
	}

	private void tick() {
		long now = System.nanoTime();
		this.sessions.forEach((session) -> tick(session, now));
	}

	private void tick(ChatSession session, long now) {
		HeartBeat agreed = session.heartBeat();
		long quietNanos = now - session.outbox().lastProgress();
		if (session.outbox().waiting()) {
			if (quietNanos > this.stallNanos) {
				session.close(ChatSession.FELL_BEHIND);
			}
		}
		else if (agreed.toClient() > 0 && quietNanos > millis(agreed.toClient() - TICK_MILLIS)) {
			session.send(StompFrames.HEART_BEAT);
		}
		if (agreed.fromClient() > 0 && now - session.lastRead() > millis(PATIENCE * agreed.fromClient())) {
			session.close(SILENT);
		}
	}

	private static long millis(long millis) {
		return Duration.ofMillis(millis).toNanos();
	}

}
