package io.parley.notification;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.parley.events.MessagePosted;
import io.parley.events.Positions;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.event.RoomPosition;
import io.parley.store.event.StoredEvent;
import io.parley.store.presence.LostSession;
import io.parley.store.presence.LostSessionRepository;
import io.parley.store.push.PushKey;
import io.parley.store.push.PushLogEntry;
import io.parley.store.push.PushLogRepository;
import io.parley.store.push.PushTask;
import io.parley.store.push.PushTaskRepository;
import io.parley.store.thread.ThreadKey;
import io.parley.store.thread.ThreadRepository;
import io.parley.store.thread.ThreadStanding;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Plans pushes for messages that a session may not have received because it vanished
 * without closing: until it was given up, it counted as live. The missed messages are
 * read from the store, so planning waits until the store has everything that the reader
 * has planned. What the reader plans later, it plans without that session.
 */
class MissedByLostSessions {

	private static final Logger logger = LoggerFactory.getLogger(MissedByLostSessions.class);

	private static final int SESSIONS = 100;

	/**
	 * Limits the events that are examined: hardly more are sent to a socket that is no
	 * longer read.
	 */
	private static final int EVENTS = 200;

	/** Covers messages that were in flight when the session was last heard. */
	private static final Duration IN_FLIGHT = Duration.ofSeconds(1);

	private static final Duration PLANNING_TIME = Duration.ofSeconds(2);

	private final TransactionTemplate transaction;

	private final LostSessionRepository lost;

	private final StoredProgress progress;

	private final RoomEventRepository events;

	private final ThreadRepository threads;

	private final PushTaskRepository tasks;

	private final PushLogRepository log;

	private final PushProperties properties;

	private final Clock clock;

	/**
	 * The last session of the previous page. Sessions that wait for the store must not
	 * block others, so each run reads the next page.
	 */
	private @Nullable LostSession last;

	MissedByLostSessions(TransactionTemplate transaction, LostSessionRepository lost, StoredProgress progress,
			RoomEventRepository events, ThreadRepository threads, PushTaskRepository tasks, PushLogRepository log,
			PushProperties properties, Clock clock) {
		this.transaction = transaction;
		this.lost = lost;
		this.progress = progress;
		this.events = events;
		this.threads = threads;
		this.tasks = tasks;
		this.log = log;
		this.properties = properties;
		this.clock = clock;
	}

	/**
	 * Plans a page of the sessions that were lost so long ago that the reader has planned
	 * the messages after the loss.
	 */
	@Scheduled(fixedDelay = 1_000)
	synchronized void plan() {
		try {
			Instant now = this.clock.instant();
			Instant lostBefore = now.minus(this.properties.grace()).minus(PLANNING_TIME);
			this.transaction.executeWithoutResult((status) -> planPage(now, lostBefore));
		}
		catch (RuntimeException ex) {
			logger.warn("Pushes for lost sessions could not be planned, retrying: {}", ex.getMessage());
		}
	}

	private void planPage(Instant now, Instant lostBefore) {
		List<LostSession> page = this.lost.lock(SESSIONS, lostBefore, this.last);
		this.last = (page.size() == SESSIONS) ? page.getLast() : null;
		Map<Integer, Boolean> stored = new HashMap<>();
		List<LostSession> ready = page.stream()
			.filter((session) -> stored.computeIfAbsent(this.progress.partition(session.room()),
					this.progress::hasStoredPlanned))
			.toList();
		if (!ready.isEmpty()) {
			this.tasks.merge(missed(ready, now));
			this.lost.remove(ready);
		}
	}

	/** Returns one task for each user, room and thread. */
	private Collection<PushTask> missed(List<LostSession> sessions, Instant now) {
		Map<String, Instant> since = sessions.stream()
			.collect(Collectors.toMap(LostSession::room, MissedByLostSessions::missedSince,
					(one, other) -> one.isBefore(other) ? one : other));
		Map<String, List<StoredEvent>> messages = this.events.messagesSince(since, EVENTS)
			.stream()
			.collect(Collectors.groupingBy((event) -> event.record().room()));
		Map<PushKey, PushTask> missed = new HashMap<>();
		Planned planned = planned(sessions, messages);
		Map<ThreadKey, ThreadStanding> standings = standings(sessions, messages);
		for (LostSession session : sessions) {
			for (StoredEvent event : messages.getOrDefault(session.room(), List.of())) {
				if (event.record().sentAt().isAfter(missedSince(session)) && isRelevant(event, session, standings, now)
						&& !planned.contains(key(session, event), event.position())) {
					planned.add(key(session, event), event.position());
					missed.merge(key(session, event), task(session, event, now), PushTask::and);
				}
			}
		}
		return missed.values();
	}

	private static Instant missedSince(LostSession session) {
		return session.heardAt().minus(IN_FLIGHT);
	}

	private static PushKey key(LostSession session, StoredEvent event) {
		return new PushKey(session.username(), session.room(), event.record().thread());
	}

	private static ThreadKey inThread(LostSession session, StoredEvent event) {
		return new ThreadKey(new RoomPosition(session.room(), event.record().thread()), session.username());
	}

	/** Returns what the users are in the threads of the replies. */
	private Map<ThreadKey, ThreadStanding> standings(List<LostSession> sessions,
			Map<String, List<StoredEvent>> messages) {
		Set<ThreadKey> keys = new HashSet<>();
		sessions.forEach((session) -> messages.getOrDefault(session.room(), List.of())
			.stream()
			.filter((event) -> event.record().type().isReply())
			.forEach((reply) -> keys.add(inThread(session, reply))));
		return this.threads.of(keys);
	}

	private boolean isRelevant(StoredEvent event, LostSession session, Map<ThreadKey, ThreadStanding> standings,
			Instant now) {
		return !event.record().sender().equals(session.username())
				&& event.record().sentAt().plus(this.properties.expiry()).isAfter(now)
				&& (!event.record().type().isReply() || isMentioned(event, session)
						|| standings.getOrDefault(inThread(session, event), ThreadStanding.NONE).follows());
	}

	private static boolean isMentioned(StoredEvent event, LostSession session) {
		return Mentioned.by((MessagePosted) event.record().event()).includes(session.username());
	}

	private PushTask task(LostSession session, StoredEvent event, Instant now) {
		MessagePosted message = (MessagePosted) event.record().event();
		return PushTask.of(key(session, event), event.position(),
				isMentioned(event, session) ? event.position() : Positions.NONE, message.sender(),
				TaskPlanner.start(message.text()), message.sentAt(), now,
				message.sentAt().plus(this.properties.expiry()));
	}

	private Planned planned(List<LostSession> sessions, Map<String, List<StoredEvent>> messages) {
		Map<PushKey, Long> first = new HashMap<>();
		for (LostSession session : sessions) {
			for (StoredEvent event : messages.getOrDefault(session.room(), List.of())) {
				first.merge(key(session, event), event.position(), Math::min);
			}
		}
		Planned planned = new Planned(new HashMap<>());
		for (PushTask task : this.tasks.pending(first.keySet())) {
			planned.add(task.key(), task.firstPosition(), task.lastPosition());
		}
		for (PushLogEntry entry : this.log.since(first)) {
			planned.add(new PushKey(entry.username(), entry.room(), entry.thread()), entry.firstPosition(),
					entry.lastPosition());
		}
		return planned;
	}

	/** The messages for which tasks or decisions exist. */
	private record Planned(Map<PushKey, List<long[]>> ranges) {

		void add(PushKey key, long position) {
			add(key, position, position);
		}

		void add(PushKey key, long first, long last) {
			this.ranges.computeIfAbsent(key, (unknown) -> new ArrayList<>()).add(new long[] { first, last });
		}

		boolean contains(PushKey key, long position) {
			return this.ranges.getOrDefault(key, List.of())
				.stream()
				.anyMatch((range) -> range[0] <= position && position <= range[1]);
		}

	}

}
