package io.parley.server.room;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.parley.events.MessagePosted;
import io.parley.server.session.SessionRegistry;
import io.parley.server.timeline.History;
import io.parley.server.timeline.PositionedEvent;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.event.RoomHead;
import io.parley.store.presence.NodePresence;
import io.parley.store.room.Member;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.Room;
import io.parley.store.room.RoomKind;
import io.parley.store.room.RoomRole;
import io.parley.store.room.Standing;
import org.jspecify.annotations.Nullable;

import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Component;

/** Creates the views of rooms that clients receive. */
@Component
class RoomViews {

	/** Longer member lists are truncated; {@code memberCount} is the actual number. */
	private static final int MEMBERS_SHOWN = 200;

	private final MemberRepository members;

	private final RoomEventRepository stored;

	private final History history;

	private final ReadPositions read;

	private final SessionRegistry sessions;

	private final NodePresence presence;

	RoomViews(MemberRepository members, RoomEventRepository stored, History history, ReadPositions read,
			SessionRegistry sessions, NodePresence presence) {
		this.members = members;
		this.stored = stored;
		this.history = history;
		this.read = read;
		this.sessions = sessions;
		this.presence = presence;
	}

	/**
	 * A room in the list of a user.
	 *
	 * @param role what the user is in it; null in a direct room, which has no roles
	 * @param peer the other user of a direct room
	 * @param unread number of messages after the read position
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Listed(String id, String name, RoomKind kind, @JsonProperty("private") boolean isPrivate, int memberCount,
			@Nullable Integer capacity, @Nullable RoomRole role, @Nullable String peer, long unread, long head,
			long read, @Nullable LastMessage lastEvent) {
	}

	record LastMessage(String sender, String text, String sentAt) {
	}

	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Detailed(String id, String name, RoomKind kind, @JsonProperty("private") boolean isPrivate, int memberCount,
			@Nullable Integer capacity, @Nullable RoomRole role, String createdBy, List<MemberView> members) {
	}

	/**
	 * A member of a room.
	 *
	 * @param mutedUntil shown to moderators and to the member
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record MemberView(String username, @Nullable RoomRole role, boolean online, long read,
			@Nullable Instant mutedUntil) {
	}

	record Members(List<MemberView> members) {
	}

	List<Listed> of(String user) {
		List<Room> rooms = this.members.roomsOf(user);
		Map<String, RoomHead> heads = this.stored.heads(rooms.stream().map(Room::getId).toList());
		Map<String, Long> read = this.read.positions(user);
		Map<String, Long> readNumbers = readNumbers(rooms, heads, read);
		Map<String, RoomRole> roles = this.members.membershipsOf(user)
			.stream()
			.collect(Collectors.toMap(Member::getRoomId, Member::getRole));
		return rooms.stream().map((room) -> {
			String id = room.getId();
			RoomHead head = this.history.head(id, heads.getOrDefault(id, RoomHead.NONE));
			long unread = head.number() - readNumbers.getOrDefault(id, 0L);
			return new Listed(id, room.getName(), room.getKind(), !room.isOpen(), room.getMemberCount(),
					room.getCapacity(), hasRoles(room) ? roles.get(id) : null, peer(room, user), Math.max(0, unread),
					head.position(), read.getOrDefault(id, 0L), lastMessage(id));
		}).toList();
	}

	private Map<String, Long> readNumbers(List<Room> rooms, Map<String, RoomHead> heads, Map<String, Long> read) {
		Map<String, Long> numbers = new HashMap<>(this.stored.numbersAt(read));
		for (Room room : rooms) {
			RoomHead stored = heads.getOrDefault(room.getId(), RoomHead.NONE);
			long position = read.getOrDefault(room.getId(), 0L);
			if (position > stored.position()) {
				numbers.put(room.getId(), this.history.numberAt(room.getId(), position, stored));
			}
		}
		return numbers;
	}

	private @Nullable LastMessage lastMessage(String room) {
		for (PositionedEvent event : this.history.before(room, Long.MAX_VALUE, 5).reversed()) {
			if (event.record().type().isMessage() && event.record().event() instanceof MessagePosted message) {
				return new LastMessage(message.sender(), message.text(), message.sentAt().toString());
			}
		}
		return null;
	}

	private static boolean hasRoles(Room room) {
		return room.getKind() != RoomKind.DIRECT;
	}

	Detailed detailed(Room room, String viewer) {
		RoomRole role = hasRoles(room) ? this.members.roleOf(room.getId(), viewer).orElse(null) : null;
		return new Detailed(room.getId(), room.getName(), room.getKind(), !room.isOpen(), room.getMemberCount(),
				room.getCapacity(), role, room.getCreatedBy(), members(room.getId(), viewer, role, "", MEMBERS_SHOWN));
	}

	/** Returns a page of members. */
	Members members(Room room, String viewer, String after, int limit) {
		RoomRole role = hasRoles(room) ? this.members.roleOf(room.getId(), viewer).orElse(null) : null;
		return new Members(members(room.getId(), viewer, role, after, Math.min(limit, MEMBERS_SHOWN)));
	}

	private List<MemberView> members(String room, String viewer, @Nullable RoomRole role, String after, int limit) {
		List<Standing> shown = this.members.standingsOf(room, after, Limit.of(limit));
		List<String> users = shown.stream().map(Standing::username).toList();
		Set<String> elsewhere = this.presence.onlineAmong(users, Instant.now());
		Map<String, Long> read = this.read.positionsIn(room, users);
		boolean moderates = role != null && RoomPermissions.allows(RoomAction.MUTE, role);
		return shown.stream().map((member) -> {
			String name = member.username();
			boolean muteShown = member.isMuted(Instant.now()) && (moderates || name.equals(viewer));
			return new MemberView(name, (role != null) ? member.role() : null,
					this.sessions.online(name) || elsewhere.contains(name), read.getOrDefault(name, 0L),
					muteShown ? member.mutedUntil() : null);
		}).toList();
	}

	private @Nullable String peer(Room room, String user) {
		String key = room.getDirectKey();
		if (key == null) {
			return null;
		}
		String[] both = DirectKey.users(key);
		return both[0].equals(user) ? both[1] : both[0];
	}

}
