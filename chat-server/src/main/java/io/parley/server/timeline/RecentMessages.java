package io.parley.server.timeline;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.parley.events.EventRecord;
import io.parley.events.EventType;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Remembers recently posted client ids, so that a retry gets the original answer and is
 * not delivered twice. The unique key of the store catches retries of forgotten ones.
 * Safe for use by many threads.
 */
@Component
public class RecentMessages {

	/** About 10 MB. Retries arrive within seconds. */
	private static final int MAX_REMEMBERED = 50_000;

	/**
	 * Messages read from the log. Its order decides which of two duplicates is the first.
	 */
	private final Map<Key, Place> seen = bounded();

	/**
	 * Messages confirmed by the log but not read back yet. A record that cannot be read
	 * stays here until newer ones displace it.
	 */
	private final Map<Key, Place> confirmed = bounded();

	/** Appends that wait for their confirmation. */
	private final Map<Key, CompletableFuture<Place>> inFlight = new ConcurrentHashMap<>();

	private record Key(String room, String sender, String clientId) {
	}

	/** The position, id and type of a message, or of a change of one. */
	public record Place(long position, String id, EventType type) {
	}

	/**
	 * Returns the place of a message that was posted before, or else runs the append and
	 * returns its result. Concurrent calls share one append. A failed append is
	 * forgotten, so that the client may retry.
	 */
	public CompletableFuture<Place> once(String room, String sender, String clientId,
			Supplier<CompletableFuture<Place>> append) {
		Key key = new Key(room, sender, clientId);
		Place known = known(key);
		if (known != null) {
			return CompletableFuture.completedFuture(known);
		}
		CompletableFuture<Place> own = new CompletableFuture<>();
		CompletableFuture<Place> existing = this.inFlight.putIfAbsent(key, own);
		if (existing != null) {
			return existing;
		}
		// Another append may have completed since the first check.
		Place meanwhile = known(key);
		if (meanwhile != null) {
			this.inFlight.remove(key, own);
			own.complete(meanwhile);
			return own;
		}
		attempt(append).whenComplete((place, failure) -> {
			if (failure != null) {
				this.inFlight.remove(key, own);
				own.completeExceptionally(failure);
			}
			else {
				confirm(key, place);
				this.inFlight.remove(key, own);
				own.complete(place);
			}
		});
		return own;
	}

	/** Returns the place of a message that was posted before, or null. */
	public @Nullable Place find(String room, String sender, String clientId) {
		return known(new Key(room, sender, clientId));
	}

	/**
	 * A key moves from {@link #confirmed} to {@link #seen}, so they are checked in this
	 * order.
	 */
	private @Nullable Place known(Key key) {
		Place place = this.confirmed.get(key);
		return (place != null) ? place : this.seen.get(key);
	}

	private void confirm(Key key, Place place) {
		this.confirmed.put(key, place);
		if (this.seen.containsKey(key)) {
			this.confirmed.remove(key);
		}
	}

	/**
	 * Returns whether an event of the log duplicates an earlier message that this server
	 * remembers.
	 */
	boolean isDuplicate(EventRecord record, long position) {
		if (record.clientId() == null) {
			return false;
		}
		Place first = this.seen.get(new Key(record.room(), record.sender(), record.clientId()));
		return first != null && first.position() < position;
	}

	private static CompletableFuture<Place> attempt(Supplier<CompletableFuture<Place>> append) {
		try {
			return append.get();
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/**
	 * Records an event that was read from the log.
	 * @return whether it is the first with its client id that this server remembers
	 */
	boolean isFirst(EventRecord record, long position) {
		if (record.clientId() == null) {
			return true;
		}
		Key key = new Key(record.room(), record.sender(), record.clientId());
		Place first = this.seen.putIfAbsent(key, new Place(position, record.id(), record.type()));
		this.confirmed.remove(key);
		return first == null || first.position() == position;
	}

	/**
	 * Returns the number of appends that wait for their confirmation or were confirmed
	 * and not read back yet.
	 */
	int awaitingReadBack() {
		return this.inFlight.size() + this.confirmed.size();
	}

	/**
	 * Evicts the oldest entry. A cache that favours frequently used entries would evict
	 * new client ids, which have not been looked up yet.
	 */
	private static Map<Key, Place> bounded() {
		return Collections.synchronizedMap(new LinkedHashMap<>() {

			@Override
			protected boolean removeEldestEntry(Map.Entry<Key, Place> eldest) {
				return size() > MAX_REMEMBERED;
			}

		});
	}

}
