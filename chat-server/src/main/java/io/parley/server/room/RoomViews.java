package io.parley.server.room;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.parley.events.MessagePosted;
import io.parley.events.Positions;
import io.parley.server.presence.LastSeen;
import io.parley.server.presence.UserPresences;
import io.parley.server.timeline.RoomHeadReader;
import io.parley.store.event.RoomHead;
import io.parley.store.event.RoomPosition;
import io.parley.store.presence.PresenceState;
import io.parley.store.room.JoinedRoom;
import io.parley.store.room.MemberMarkers;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.ReadMarker;
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

	private final RoomHeadReader heads;

	private final ReadPositions read;

	private final DeliveredPositions delivered;

	private final UserPresences presences;

	private final LastSeen lastSeen;

	private final DirectBlocks blocks;

	private final PeerPresenceReader peers;

	RoomViews(MemberRepository members, RoomHeadReader heads, ReadPositions read, DeliveredPositions delivered,
			UserPresences presences, LastSeen lastSeen, DirectBlocks blocks, PeerPresenceReader peers) {
		this.members = members;
		this.heads = heads;
		this.read = read;
		this.delivered = delivered;
		this.presences = presences;
		this.lastSeen = lastSeen;
		this.blocks = blocks;
		this.peers = peers;
	}

	/**
	 * A room in the list of a user.
	 *
	 * @param role what the user is in it; null in a direct room, which has no roles
	 * @param topic null for none
	 * @param slowMode the seconds between two messages of a member, or null
	 * @param memberPins true if the owner lets members pin messages, or null
	 * @param peer the other user of a direct room
	 * @param presence of that user, or null if it was not asked for
	 * @param unread number of messages after the read position
	 * @param mentions how many of them mention the user
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Listed(String id, String name, @Nullable String topic, RoomKind kind,
			@JsonProperty("private") boolean isPrivate, int memberCount, @Nullable Integer capacity,
			@Nullable Integer slowMode, @Nullable Boolean memberPins, @Nullable RoomRole role, @Nullable String peer,
			@Nullable PeerPresence presence, long unread, long mentions, long head, long read,
			@Nullable LastMessage lastEvent) {
	}

	/**
	 * The newest message of a room.
	 *
	 * @param deleted true, or null
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record LastMessage(String sender, String text, String sentAt, @Nullable Boolean deleted) {
	}

	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Detailed(String id, String name, @Nullable String topic, RoomKind kind,
			@JsonProperty("private") boolean isPrivate, int memberCount, @Nullable Integer capacity,
			@Nullable Integer slowMode, @Nullable Boolean memberPins, @Nullable RoomRole role, String createdBy,
			List<MemberView> members) {
	}

	/**
	 * A member of a room.
	 *
	 * @param online false for the other user of a direct room that is blocked
	 * @param away true for a user who is online, but away; else null
	 * @param lastSeen when others who are not online were last online, or null if that is
	 * not shown
	 * @param delivered at least the read position
	 * @param mutedUntil shown to moderators and to the member
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record MemberView(String username, @Nullable RoomRole role, boolean online, @Nullable Boolean away,
			@Nullable Instant lastSeen, long read, long delivered, @Nullable Instant mutedUntil) {
	}

	record Members(List<MemberView> members) {
	}

	/**
	 * Lists the rooms of a user. The number of queries does not depend on that of the
	 * rooms.
	 * @param withPresence whether to add the presence of the other users of direct rooms
	 */
	List<Listed> of(String user, boolean withPresence) {
		List<JoinedRoom> joined = this.members.joinedBy(user);
		Map<String, Long> read = this.read.positions(user);
		RoomHeadReader.Snapshot heads = this.heads
			.withLastMessages(joined.stream().map((one) -> one.room().getId()).toList());
		Map<RoomPosition, Long> unread = heads
			.unreadAfter(joined.stream().map((one) -> readPosition(one, read)).toList());
		Map<ReadMarker, Long> mentions = heads
			.mentionsAfter(joined.stream().map((one) -> marker(user, readPosition(one, read))).toList());
		Map<String, PeerPresence> presences = withPresence
				? this.peers.of(user,
						joined.stream().map((one) -> peer(one.room(), user)).filter(Objects::nonNull).toList())
				: Map.of();
		return joined.stream().map((one) -> {
			Room room = one.room();
			String peer = peer(room, user);
			RoomHead head = heads.head(room.getId());
			RoomPosition readTo = readPosition(one, read);
			return new Listed(room.getId(), room.getName(), topic(room), room.getKind(), !room.isOpen(),
					room.getMemberCount(), room.getCapacity(), slowMode(room), memberPins(room),
					hasRoles(room) ? one.role() : null, peer, (peer != null) ? presences.get(peer) : null,
					unread.getOrDefault(readTo, 0L), mentions.getOrDefault(marker(user, readTo), 0L), head.position(),
					readTo.position(), lastMessage(heads.lastMessage(room.getId())));
		}).toList();
	}

	private static ReadMarker marker(String user, RoomPosition readTo) {
		return new ReadMarker(readTo.room(), user, readTo.position());
	}

	private static RoomPosition readPosition(JoinedRoom joined, Map<String, Long> read) {
		String room = joined.room().getId();
		return new RoomPosition(room, read.getOrDefault(room, 0L));
	}

	private static @Nullable LastMessage lastMessage(@Nullable MessagePosted message) {
		return (message != null) ? new LastMessage(message.sender(), message.text(), message.sentAt().toString(),
				message.deleted() ? true : null) : null;
	}

	private static boolean hasRoles(Room room) {
		return room.getKind() != RoomKind.DIRECT;
	}

	private static @Nullable String topic(Room room) {
		return room.getTopic().isEmpty() ? null : room.getTopic();
	}

	private static @Nullable Boolean memberPins(Room room) {
		return (hasRoles(room) && room.isMemberPins()) ? true : null;
	}

	private static @Nullable Integer slowMode(Room room) {
		return (room.getSlowMode() > 0) ? room.getSlowMode() : null;
	}

	Detailed detailed(Room room, String viewer) {
		RoomRole role = hasRoles(room) ? this.members.roleOf(room.getId(), viewer).orElse(null) : null;
		return new Detailed(room.getId(), room.getName(), topic(room), room.getKind(), !room.isOpen(),
				room.getMemberCount(), room.getCapacity(), slowMode(room), memberPins(room), role, room.getCreatedBy(),
				members(room, viewer, role, "", MEMBERS_SHOWN));
	}

	/** Returns a page of members. */
	Members members(Room room, String viewer, String after, int limit) {
		RoomRole role = hasRoles(room) ? this.members.roleOf(room.getId(), viewer).orElse(null) : null;
		return new Members(members(room, viewer, role, after, Math.min(limit, MEMBERS_SHOWN)));
	}

	private List<MemberView> members(Room room, String viewer, @Nullable RoomRole role, String after, int limit) {
		List<Standing> shown = this.members.standingsOf(room.getId(), after, Limit.of(limit));
		List<String> users = shown.stream().map(Standing::username).toList();
		Map<String, PresenceState> states = this.presences.of(users);
		Map<String, Instant> seen = this.lastSeen.visibleTo(viewer, users);
		// First: a marker that is no longer there has been stored.
		Map<String, Long> unstored = this.delivered.unstored(room.getId(), users);
		Map<String, MemberMarkers> markers = this.read.markersIn(room.getId(), users);
		boolean blocked = !hasRoles(room) && !this.blocks.isOpen(room.getId());
		boolean moderates = role != null && RoomPermissions.allows(RoomAction.MUTE, role);
		return shown.stream().map((member) -> {
			String name = member.username();
			boolean self = name.equals(viewer);
			boolean muteShown = member.isMuted(Instant.now()) && (moderates || self);
			PresenceState state = (blocked && !self) ? PresenceState.OFFLINE
					: states.getOrDefault(name, PresenceState.OFFLINE);
			MemberMarkers marker = markers.getOrDefault(name, MemberMarkers.NONE);
			long delivered = (blocked && !self) ? 0
					: Math.max(marker.delivered(), unstored.getOrDefault(name, Positions.NONE));
			PeerPresence presence = PeerPresence.of(state, self ? null : seen.get(name));
			return new MemberView(name, (role != null) ? member.role() : null, presence.online(), presence.away(),
					presence.lastSeen(), marker.read(), Math.max(marker.read(), delivered),
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
