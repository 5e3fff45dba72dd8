package io.parley.notification;

import java.time.Duration;
import java.time.Instant;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * Leaves time between the pushes about one room to one user, so that many messages are
 * few pushes, also while a worker reads what it has missed. Kept in memory: a room is
 * planned by one process, and another one that takes over begins anew. Safe for
 * concurrent use.
 */
final class PushThrottle {

	private static final int MOST_KEPT = 200_000;

	private final Duration interval;

	private final Cache<Key, Instant> planned;

	private record Key(String username, String room) {
	}

	/**
	 * Keeps that much between them; nothing when it is zero.
	 */
	PushThrottle(Duration interval) {
		this.interval = interval;
		this.planned = Caffeine.newBuilder().maximumSize(MOST_KEPT).expireAfterWrite(interval.multipliedBy(2)).build();
	}

	/**
	 * When a push may be due: with one that is still to come, or an interval after the
	 * last, also when that one was decided against.
	 */
	Instant due(String username, String room, Instant earliest) {
		return this.planned.asMap().merge(new Key(username, room), earliest, (last, now) -> {
			Instant next = last.isAfter(now) ? last : last.plus(this.interval);
			return next.isAfter(now) ? next : now;
		});
	}

	/** Lets one push through that waits for nobody; those after it are spaced from it. */
	Instant atOnce(String username, String room, Instant due) {
		this.planned.put(new Key(username, room), due);
		return due;
	}

}
