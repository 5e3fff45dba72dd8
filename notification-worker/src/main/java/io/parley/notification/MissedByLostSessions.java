package io.parley.notification;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.parley.events.EventType;
import io.parley.events.MessagePosted;
import io.parley.store.event.RoomEvents;
import io.parley.store.event.StoredEvent;
import io.parley.store.presence.LostSession;
import io.parley.store.presence.LostSessions;
import io.parley.store.push.PushLog;
import io.parley.store.push.PushTask;
import io.parley.store.push.PushTasks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Plans what a session may not have received that vanished without a word: until it was
 * given up, it counted as live.
 */
class MissedByLostSessions {

	private static final Logger logger = LoggerFactory.getLogger(MissedByLostSessions.class);

	private static final int SESSIONS = 100;

	/** More have hardly been sent to a socket that nobody reads. */
	private static final int EVENTS = 200;

	/** What was on its way when the last sign of life came. */
	private static final Duration ON_THE_WAY = Duration.ofSeconds(1);

	private static final Duration UNTIL_PLANNED = Duration.ofSeconds(2);

	private final TransactionTemplate transaction;

	private final LostSessions lost;

	private final RoomEvents events;

	private final PushTasks tasks;

	private final PushLog log;

	private final PushProperties properties;

	private final Clock clock;

	MissedByLostSessions(TransactionTemplate transaction, LostSessions lost, RoomEvents events, PushTasks tasks,
			PushLog log, PushProperties properties, Clock clock) {
		this.transaction = transaction;
		this.lost = lost;
		this.events = events;
		this.tasks = tasks;
		this.log = log;
		this.properties = properties;
		this.clock = clock;
	}

	/** By then the reader has planned what came after the loss. */
	@Scheduled(fixedDelay = 1_000)
	void plan() {
		try {
			planDue();
		}
		catch (RuntimeException ex) {
			logger.warn("What lost sessions missed waits for the database: {}", ex.getMessage());
		}
	}

	private void planDue() {
		Instant now = this.clock.instant();
		Instant lostBefore = now.minus(this.properties.grace()).minus(UNTIL_PLANNED);
		this.transaction.executeWithoutResult((status) -> {
			Map<String, PushTask> missed = new HashMap<>();
			for (LostSession session : this.lost.take(SESSIONS, lostBefore)) {
				missed(session, now)
					.forEach((task) -> missed.merge(task.username() + " " + task.room(), task, PushTask::and));
			}
			this.tasks.merge(missed.values());
		});
	}

	private List<PushTask> missed(LostSession session, Instant now) {
		List<PushTask> missed = new ArrayList<>();
		Instant since = session.heardAt().minus(ON_THE_WAY);
		for (StoredEvent event : this.events.before(session.room(), Long.MAX_VALUE, EVENTS)) {
			if (event.record().type() == EventType.MESSAGE_POSTED && event.record().sentAt().isAfter(since)
					&& event.record().event() instanceof MessagePosted message
					&& !message.sender().equals(session.username()) && !isPlanned(session, event.position())) {
				missed.add(PushTask.of(session.username(), session.room(), event.position(),
						Mentions.in(message.text()).contains(session.username()), message.sender(),
						TaskPlanner.start(message.text()), now, now.plus(this.properties.expiry())));
			}
		}
		return missed;
	}

	private boolean isPlanned(LostSession session, long position) {
		return this.tasks.pending(session.username(), session.room())
			.filter((task) -> task.firstPosition() <= position && position <= task.lastPosition())
			.isPresent() || !this.log.about(session.username(), session.room(), position).isEmpty();
	}

}
