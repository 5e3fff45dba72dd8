package io.parley.server.room;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

import io.parley.events.RoomCreated;
import io.parley.server.error.ErrorCode;
import io.parley.server.limits.RateLimits;
import io.parley.store.room.Member;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.Room;
import io.parley.store.room.RoomKind;
import io.parley.store.room.RoomRepository;
import io.parley.store.room.RoomRole;
import io.parley.store.room.UnconfirmedChanges.Kind;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Opens and finds rooms. The database decides; an event in the log then informs every
 * node and the history.
 */
@Component
public class RoomRegistry {

	private final RoomRepository rooms;

	private final MemberRepository members;

	private final RoomAccess access;

	private final MemberAccounts accounts;

	private final BlockService blocks;

	private final RateLimits rates;

	private final RoomChanges changes;

	private final TransactionTemplate transaction;

	private final SecureRandom random = new SecureRandom();

	RoomRegistry(RoomRepository rooms, MemberRepository members, RoomAccess access, MemberAccounts accounts,
			BlockService blocks, RateLimits rates, RoomChanges changes, TransactionTemplate transaction) {
		this.rooms = rooms;
		this.members = members;
		this.access = access;
		this.accounts = accounts;
		this.blocks = blocks;
		this.rates = rates;
		this.changes = changes;
		this.transaction = transaction;
	}

	/**
	 * Opens a group or channel, with the creator as its owner.
	 * @param inviteOnly whether a channel is private
	 * @throws io.parley.server.error.ChatException if a member does not exist, is
	 * disabled or has blocked the creator, if there are more members than the capacity
	 * allows, or if the creator opens too many rooms or invites too many users
	 */
	public Room create(String creator, String name, RoomKind kind, List<String> others, @Nullable Integer capacity,
			boolean inviteOnly) {
		Set<String> users = new LinkedHashSet<>(others);
		users.add(creator);
		if (capacity != null && users.size() > capacity) {
			throw ErrorCode.ROOM_FULL.because("The room has " + capacity + " places and " + users.size()
					+ " members; raise the capacity or invite fewer.");
		}
		Set<String> invited = new LinkedHashSet<>(users);
		invited.remove(creator);
		takeRateLimits(creator, invited);
		this.accounts.requireUsable(users);
		this.blocks.requireMayBringIn(creator, invited);
		Room room = new Room(newId(), name, kind, capacity, users.size(), null, creator, RoomChanges.now(), inviteOnly);
		save(room, users);
		appendNew(room, users);
		return room;
	}

	/**
	 * Returns the direct room of two users and opens it if necessary. It is the same room
	 * for both.
	 * @throws io.parley.server.error.ChatException if the peer does not exist, or is
	 * disabled and there is no such room, if one of the two has blocked the other, or if
	 * the user opens too many rooms
	 */
	public Room direct(String user, String peer) {
		Set<String> both = new LinkedHashSet<>(List.of(peer, user));
		if (both.size() < 2) {
			throw ErrorCode.BAD_REQUEST.because("A direct room needs another user.");
		}
		this.accounts.requireExisting(both);
		this.blocks.requireNoneBetween(user, peer);
		String key = DirectKey.of(user, peer);
		Room room = this.rooms.findByDirectKey(key).orElse(null);
		if (room == null) {
			this.accounts.requireUsable(Set.of(peer));
			takeRateLimits(user, Set.of(peer));
			room = new Room(newId(), "", RoomKind.DIRECT, 2, 2, key, user, RoomChanges.now(), true);
			try {
				save(room, both);
				appendNew(room, both);
				return room;
			}
			catch (DataIntegrityViolationException ex) {
				room = this.rooms.findByDirectKey(key).orElseThrow(() -> ex);
			}
		}
		if (this.changes.isUnconfirmed(room.getId(), room.getCreatedBy(), Kind.CREATED)) {
			append(room, both, () -> false);
			this.changes.confirmed(room.getId(), room.getCreatedBy(), Kind.CREATED);
		}
		return room;
	}

	private void takeRateLimits(String creator, Set<String> invited) {
		this.rates.takeRoom(creator);
		this.rates.takeInvitations(creator, invited);
	}

	private void save(Room room, Set<String> users) {
		this.transaction.executeWithoutResult((status) -> {
			this.rooms.save(room);
			this.members.saveAll(users.stream()
				.map((user) -> new Member(room.getId(), user, firstRole(room, user), room.getCreatedAt()))
				.toList());
		});
	}

	private static RoomRole firstRole(Room room, String user) {
		boolean owner = room.getKind() != RoomKind.DIRECT && user.equals(room.getCreatedBy());
		return owner ? RoomRole.OWNER : RoomRole.MEMBER;
	}

	private void appendNew(Room room, Set<String> users) {
		append(room, users, () -> remove(room));
	}

	private void append(Room room, Set<String> users, BooleanSupplier undo) {
		this.changes.append(
				new RoomCreated(room.getId(), RoomChanges.newEventId(), room.getCreatedBy(), room.getCreatedAt(),
						room.getName(), room.getKind().wireName(), List.copyOf(users)),
				undo, () -> recordUnconfirmed(room));
	}

	private boolean remove(Room room) {
		this.transaction.executeWithoutResult((status) -> {
			this.members.removeAll(room.getId());
			this.rooms.deleteById(room.getId());
		});
		return true;
	}

	/**
	 * Records the missing event of a direct room. Only a direct room is found again when
	 * the request is repeated.
	 */
	private void recordUnconfirmed(Room room) {
		if (room.getKind() == RoomKind.DIRECT) {
			this.changes.unconfirmed(room.getId(), room.getCreatedBy(), Kind.CREATED);
		}
	}

	/**
	 * Returns the room to a member.
	 * @throws io.parley.server.error.ChatException if the user is not a member or the
	 * room does not exist; the two cases look the same
	 */
	public Room requireMember(String room, String user) {
		this.access.require(RoomAction.READ, room, user);
		return this.rooms.findById(room).orElseThrow(() -> RoomAccess.notAMember(room));
	}

	/** Returns 96 random bits. An id does not begin like an option of a command. */
	private String newId() {
		byte[] bytes = new byte[12];
		String id;
		do {
			this.random.nextBytes(bytes);
			id = Base64.getUrlEncoder().encodeToString(bytes);
		}
		while (id.startsWith("-"));
		return id;
	}

}
