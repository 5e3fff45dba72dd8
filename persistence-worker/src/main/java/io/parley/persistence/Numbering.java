package io.parley.persistence;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.parley.events.EventRecord;
import io.parley.store.event.RoomHead;

/**
 * Numbers events after the heads of their rooms, and leaves out duplicates of earlier
 * events.
 */
class Numbering {

	private final Map<String, RoomHead> heads;

	private final Set<ClientKey> seen;

	private final Map<String, RoomHead> newHeads = new HashMap<>();

	private final List<NumberedRecord> events = new ArrayList<>();

	/**
	 * Continues after the heads of the rooms.
	 * @param heads the current heads; rooms without events are missing
	 * @param stored the events to leave out
	 */
	Numbering(Map<String, RoomHead> heads, Set<ClientKey> stored) {
		this.heads = heads;
		this.seen = new HashSet<>(stored);
	}

	void add(long position, EventRecord event) {
		if (!this.seen.add(ClientKey.of(event))) {
			return;
		}
		RoomHead head = this.newHeads.getOrDefault(event.room(), this.heads.getOrDefault(event.room(), RoomHead.NONE));
		long number = event.counts() ? head.number() + 1 : head.number();
		this.events.add(new NumberedRecord(position, head.position(), number, event));
		this.newHeads.put(event.room(), new RoomHead(position, number, head.deletes(), head.lastMention()));
	}

	/** Adds to the heads what the events changed. */
	void add(BatchChanges.Result changes) {
		this.newHeads.replaceAll((room, head) -> changes.addTo(room, head));
	}

	List<NumberedRecord> events() {
		return this.events;
	}

	/** Returns the new heads of the rooms that got events. */
	Map<String, RoomHead> newHeads() {
		return this.newHeads;
	}

}
