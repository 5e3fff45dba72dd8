package io.parley.server.room;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

import io.parley.events.RoomCreated;
import io.parley.server.error.ErrorCode;
import io.parley.server.session.RateLimits;
import io.parley.store.account.AccountRepository;
import io.parley.store.room.Member;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.Room;
import io.parley.store.room.RoomKind;
import io.parley.store.room.RoomRepository;
import io.parley.store.room.UnconfirmedChanges.Kind;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Opens and finds rooms. The database decides, and then the log is told, so that every
 * node and the history know.
 */
@Component
public class RoomRegistry {

	private final RoomRepository rooms;

	private final MemberRepository members;

	private final MemberCache cache;

	private final AccountRepository accounts;

	private final UserBlocks blocks;

	private final RateLimits rates;

	private final RoomChanges changes;

	private final TransactionTemplate transaction;

	private final SecureRandom random = new SecureRandom();

	RoomRegistry(RoomRepository rooms, MemberRepository members, MemberCache cache, AccountRepository accounts,
			UserBlocks blocks, RateLimits rates, RoomChanges changes, TransactionTemplate transaction) {
		this.rooms = rooms;
		this.members = members;
		this.cache = cache;
		this.accounts = accounts;
		this.blocks = blocks;
		this.rates = rates;
		this.changes = changes;
		this.transaction = transaction;
	}

	/**
	 * Opens a group or channel, with the creator as its first member.
	 * @throws io.parley.server.error.ChatException when a member does not exist or has
	 * blocked the creator, when they are more than the capacity, or when the creator
	 * opens too many rooms or brings in too many users
	 */
	public Room create(String creator, String name, RoomKind kind, List<String> others, @Nullable Integer capacity) {
		Set<String> everybody = new LinkedHashSet<>(others);
		everybody.add(creator);
		if (capacity != null && everybody.size() > capacity) {
			throw ErrorCode.ROOM_FULL.because("The room has " + capacity + " places and " + everybody.size()
					+ " members; raise the capacity or invite fewer.");
		}
		Set<String> invited = new LinkedHashSet<>(everybody);
		invited.remove(creator);
		takeAllowance(creator, invited);
		requireUsers(everybody);
		this.blocks.requireMayBringIn(creator, invited);
		Room room = new Room(newId(), name, kind, capacity, everybody.size(), null, creator, RoomChanges.now());
		save(room, everybody);
		appendNew(room, everybody);
		return room;
	}

	/**
	 * The direct room of two users: the same one each time, whoever asks.
	 * @throws io.parley.server.error.ChatException when the peer does not exist, one of
	 * the two has blocked the other, or the user opens too many rooms
	 */
	public Room direct(String user, String peer) {
		Set<String> both = new LinkedHashSet<>(List.of(peer, user));
		if (both.size() < 2) {
			throw ErrorCode.BAD_REQUEST.because("A direct room needs another user.");
		}
		requireUsers(both);
		this.blocks.requireNoneBetween(user, peer);
		String key = DirectKey.of(user, peer);
		Room room = this.rooms.findByDirectKey(key).orElse(null);
		if (room == null) {
			takeAllowance(user, Set.of(peer));
			room = new Room(newId(), "", RoomKind.DIRECT, 2, 2, key, user, RoomChanges.now());
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

	private void takeAllowance(String creator, Set<String> invited) {
		this.rates.takeRoom(creator);
		this.rates.takeInvitations(creator, invited);
	}

	private void requireUsers(Collection<String> users) {
		Set<String> existing = new HashSet<>(this.accounts.existingAmong(users));
		users.stream().filter((user) -> !existing.contains(user)).findFirst().ifPresent((absent) -> {
			throw noSuchUser(absent);
		});
	}

	private void save(Room room, Set<String> everybody) {
		this.transaction.executeWithoutResult((status) -> {
			this.rooms.save(room);
			this.members.saveAll(
					everybody.stream().map((user) -> new Member(room.getId(), user, room.getCreatedAt())).toList());
		});
	}

	private void appendNew(Room room, Set<String> everybody) {
		append(room, everybody, () -> remove(room));
	}

	private void append(Room room, Set<String> everybody, BooleanSupplier undo) {
		this.changes.append(new RoomCreated(room.getId(), RoomChanges.newEventId(), room.getCreatedBy(),
				room.getCreatedAt(), room.getName(), room.getKind().wireName(), List.copyOf(everybody)), undo,
				() -> keep(room));
	}

	private boolean remove(Room room) {
		this.transaction.executeWithoutResult((status) -> {
			this.members.removeAll(room.getId());
			this.rooms.deleteById(room.getId());
		});
		return true;
	}

	/** Only a direct room is found again by the same request. */
	private void keep(Room room) {
		if (room.getKind() == RoomKind.DIRECT) {
			this.changes.unconfirmed(room.getId(), room.getCreatedBy(), Kind.CREATED);
		}
	}

	/**
	 * The room, for a member.
	 * @throws io.parley.server.error.ChatException when the user is no member, or there
	 * is no such room: both look the same
	 */
	public Room requireMember(String room, String user) {
		this.cache.require(room, user);
		return this.rooms.findById(room).orElseThrow(() -> MemberCache.notAMember(room));
	}

	static RuntimeException noSuchUser(String user) {
		return ErrorCode.NOT_FOUND.because("There is no user '" + user + "'.");
	}

	private String newId() {
		byte[] bytes = new byte[12];
		this.random.nextBytes(bytes);
		return Base64.getUrlEncoder().encodeToString(bytes);
	}

}
