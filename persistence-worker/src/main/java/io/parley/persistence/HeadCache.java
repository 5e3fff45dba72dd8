package io.parley.persistence;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.parley.store.event.RoomEventRepository;
import io.parley.store.event.RoomHead;

/**
 * Caches the heads of those rooms of one partition that were active last. Valid as long
 * as no other process has written the partition, which the offset shows, or renumbered
 * its events. For use by one thread.
 */
class HeadCache {

	private static final int MAX_ROOMS = 10_000;

	private final RoomEventRepository stored;

	private final Map<String, RoomHead> heads = new LinkedHashMap<>(16, 0.75f, true) {

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, RoomHead> eldest) {
			return size() > MAX_ROOMS;
		}

	};

	private long next = -1;

	private long rewrites;

	HeadCache(RoomEventRepository stored) {
		this.stored = stored;
	}

	/** Returns the heads of these rooms. Rooms without events are missing. */
	Map<String, RoomHead> get(long offset, Set<String> rooms) {
		clearUnlessAt(offset);
		Map<String, RoomHead> found = new HashMap<>();
		rooms.forEach((room) -> {
			RoomHead head = this.heads.get(room);
			if (head != null) {
				found.put(room, head);
			}
		});
		List<String> unknown = rooms.stream().filter((room) -> !found.containsKey(room)).toList();
		found.putAll(this.stored.heads(unknown));
		return found;
	}

	/**
	 * Clears the cache if the count has changed: a process has renumbered stored events.
	 * @param count how often stored events were renumbered
	 */
	void clearIfRewritten(long count) {
		if (count != this.rewrites) {
			this.rewrites = count;
			this.heads.clear();
		}
	}

	/**
	 * Adds heads that a batch has committed along with the offset.
	 * @param from the offset at which the batch began
	 * @param nextOffset the committed offset
	 * @param newHeads the heads of the rooms that got events
	 */
	void committed(long from, long nextOffset, Map<String, RoomHead> newHeads) {
		clearUnlessAt(from);
		this.next = nextOffset;
		this.heads.putAll(newHeads);
	}

	/**
	 * Clears the cache unless the partition is where this process left it: otherwise
	 * another process has written it.
	 */
	private void clearUnlessAt(long offset) {
		if (offset != this.next) {
			this.heads.clear();
		}
	}

	/** Clears the cache, because it is unknown what was committed. */
	void clear() {
		this.next = -1;
		this.heads.clear();
	}

}
