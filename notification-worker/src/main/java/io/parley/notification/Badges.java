package io.parley.notification;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.parley.store.event.MessageStateRepository;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.event.RoomHead;
import io.parley.store.event.RoomPosition;
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

	private final MessageStateRepository states;

	private final ReadMarkerRepository read;

	private final PushSettingRepository settings;

	Badges(MemberRepository members, RoomEventRepository events, MessageStateRepository states,
			ReadMarkerRepository read, PushSettingRepository settings) {
		this.members = members;
		this.events = events;
		this.states = states;
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
		Map<String, Long> read = this.read.positions(username);
		Map<String, Long> readNumbers = this.events.numbersAt(read);
		Map<String, RoomHead> heads = this.events.heads(rooms);
		Map<RoomPosition, Long> deleted = this.states.deletedAfter(rooms.stream()
			.filter((room) -> heads.getOrDefault(room, RoomHead.NONE).deletes() > 0)
			.collect(Collectors.toMap((room) -> readPosition(room, read),
					(room) -> heads.getOrDefault(room, RoomHead.NONE).position())));
		return heads.entrySet()
			.stream()
			.mapToLong((head) -> Math.max(0,
					head.getValue().number() - readNumbers.getOrDefault(head.getKey(), 0L)
							- deleted.getOrDefault(readPosition(head.getKey(), read), 0L)))
			.sum();
	}

	private static RoomPosition readPosition(String room, Map<String, Long> read) {
		return new RoomPosition(room, read.getOrDefault(room, 0L));
	}

}
