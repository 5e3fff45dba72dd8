package io.parley.persistence;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.parley.store.event.RoomHead;
import io.parley.store.event.RoomEventRepository;

/**
 * The heads of the rooms of one partition that were busy last. Good as long as nobody
 * else has written the partition, which the offset tells, or numbered it anew. Used by
 * one thread.
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

	/** The heads of these rooms, those of rooms without events left out. */
	Map<String, RoomHead> get(long offset, Set<String> rooms) {
		forgetUnlessAt(offset);
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

	/** Stored events were numbered anew so often, by whomever. */
	void rewrites(long count) {
		if (count != this.rewrites) {
			this.rewrites = count;
			this.heads.clear();
		}
	}

	/** These heads are committed, along with the offset, by a batch that began there. */
	void committed(long from, long nextOffset, Map<String, RoomHead> moved) {
		forgetUnlessAt(from);
		this.next = nextOffset;
		this.heads.putAll(moved);
	}

	/** Somebody else has written the partition if it is not where we left it. */
	private void forgetUnlessAt(long offset) {
		if (offset != this.next) {
			this.heads.clear();
		}
	}

	/** Nobody knows what is committed. */
	void clear() {
		this.next = -1;
		this.heads.clear();
	}

}
