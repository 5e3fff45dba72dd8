package io.parley.server.timeline;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.parley.events.EventRecord;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Remembers which client ids were posted lately, so that a retry is answered with the
 * original and not delivered twice. What it has forgotten, the unique key of the store
 * still catches.
 */
@Component
public class RecentMessages {

	/** About 10 MB; a retry comes within seconds. */
	private static final int REMEMBERED = 50_000;

	/** What was read from the log. Its order decides which of two is the first. */
	private final Map<Key, Place> seen = bounded();

	/**
	 * What the log has confirmed, until it is read. A record that cannot be read stays
	 * here until newer ones displace it.
	 */
	private final Map<Key, Place> confirmed = bounded();

	/** Appends that wait for their confirmation. */
	private final Map<Key, CompletableFuture<Place>> underWay = new ConcurrentHashMap<>();

	private record Key(String room, String sender, String clientId) {
	}

	/** Where a message lies, and its id. */
	public record Place(long position, String id) {
	}

	/**
	 * The place of a message that was posted before, or else what the append gives. An
	 * append that fails is forgotten, so that the client may try again.
	 */
	public CompletableFuture<Place> once(String room, String sender, String clientId,
			Supplier<CompletableFuture<Place>> append) {
		Key key = new Key(room, sender, clientId);
		Place known = known(key);
		if (known != null) {
			return CompletableFuture.completedFuture(known);
		}
		CompletableFuture<Place> mine = new CompletableFuture<>();
		CompletableFuture<Place> others = this.underWay.putIfAbsent(key, mine);
		if (others != null) {
			return others;
		}
		// Between the two looks another append may have ended.
		Place meanwhile = known(key);
		if (meanwhile != null) {
			this.underWay.remove(key, mine);
			mine.complete(meanwhile);
			return mine;
		}
		attempt(append).whenComplete((place, failure) -> {
			if (failure != null) {
				this.underWay.remove(key, mine);
				mine.completeExceptionally(failure);
			}
			else {
				confirm(key, place);
				this.underWay.remove(key, mine);
				mine.complete(place);
			}
		});
		return mine;
	}

	/** A key moves from {@link #confirmed} to {@link #seen}: look in this order. */
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
	 * Whether an event of the log repeats an earlier message, as far as this server
	 * remembers.
	 */
	boolean isRepetition(EventRecord record, long position) {
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
	 * Notes an event that was read from the log.
	 * @return whether it is the first with its client id, as far as this server remembers
	 */
	boolean isFirst(EventRecord record, long position) {
		if (record.clientId() == null) {
			return true;
		}
		Key key = new Key(record.room(), record.sender(), record.clientId());
		Place first = this.seen.putIfAbsent(key, new Place(position, record.id()));
		this.confirmed.remove(key);
		return first == null || first.position() == position;
	}

	/** How many appends wait for their confirmation, or were confirmed and not read. */
	int unread() {
		return this.underWay.size() + this.confirmed.size();
	}

	/**
	 * The oldest goes first. A cache that keeps what is asked for often would drop new
	 * client ids, because nobody has asked for them yet.
	 */
	private static Map<Key, Place> bounded() {
		return Collections.synchronizedMap(new LinkedHashMap<>() {

			@Override
			protected boolean removeEldestEntry(Map.Entry<Key, Place> eldest) {
				return size() > REMEMBERED;
			}

		});
	}

}
