package io.parley.notification;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.parley.store.event.RoomEventRepository;
import io.parley.store.event.RoomHead;
import io.parley.store.push.PushSettingRepository;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.ReadMarkerRepository;
import io.parley.store.room.Room;

/**
 * Counts the messages that users have not read. A badge shows this as an absolute number.
 */
class Badges {

	private final MemberRepository members;

	private final RoomEventRepository events;

	private final ReadMarkerRepository read;

	private final PushSettingRepository settings;

	Badges(MemberRepository members, RoomEventRepository events, ReadMarkerRepository read,
			PushSettingRepository settings) {
		this.members = members;
		this.events = events;
		this.read = read;
		this.settings = settings;
	}

	/**
	 * Returns the number of unread messages of each user, over all rooms that are not
	 * muted. Messages that are not stored yet are not counted.
	 */
	Map<String, Long> unread(Collection<String> usernames, Instant now) {
		Map<String, Long> unread = new HashMap<>();
		usernames.forEach((username) -> unread.put(username, unread(username, now)));
		return unread;
	}

	private long unread(String username, Instant now) {
		Set<String> muted = this.settings.mutedRooms(username, now);
		List<String> rooms = this.members.roomsOf(username)
			.stream()
			.map(Room::getId)
			.filter((room) -> !muted.contains(room))
			.toList();
		Map<String, Long> readNumbers = this.events.numbersAt(this.read.positions(username));
		return this.events.heads(rooms)
			.entrySet()
			.stream()
			.mapToLong((head) -> unread(head.getValue(), readNumbers.getOrDefault(head.getKey(), 0L)))
			.sum();
	}

	private static long unread(RoomHead head, long readNumber) {
		return Math.max(0, head.number() - readNumber);
	}

}
