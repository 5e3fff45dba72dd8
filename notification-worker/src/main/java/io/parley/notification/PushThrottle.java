package io.parley.notification;

import java.time.Duration;
import java.time.Instant;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * Keeps an interval between the pushes about one room to one user, so that many messages
 * cause few pushes, also while a worker reads its backlog. The state is in memory: a room
 * is planned by one process, and another process that continues begins without it. Safe
 * for use by many threads.
 */
final class PushThrottle {

	private static final int MAX_ENTRIES = 200_000;

	private final Duration interval;

	private final Cache<Key, Instant> planned;

	private record Key(String username, String room) {
	}

	/** Creates a throttle with that interval; zero does not delay anything. */
	PushThrottle(Duration interval) {
		this.interval = interval;
		this.planned = Caffeine.newBuilder()
			.maximumSize(MAX_ENTRIES)
			.expireAfterWrite(interval.multipliedBy(2))
			.build();
	}

	/**
	 * Returns when a push may be due: with a push that is still pending, or an interval
	 * after the last one, even if that one was decided against.
	 */
	Instant due(String username, String room, Instant earliest) {
		return this.planned.asMap().merge(new Key(username, room), earliest, (last, now) -> {
			Instant next = last.isAfter(now) ? last : last.plus(this.interval);
			return next.isAfter(now) ? next : now;
		});
	}

	/**
	 * Registers a push that is not delayed. Later pushes keep the interval from it.
	 * @return {@code due}
	 */
	Instant dueImmediately(String username, String room, Instant due) {
		this.planned.put(new Key(username, room), due);
		return due;
	}

}
