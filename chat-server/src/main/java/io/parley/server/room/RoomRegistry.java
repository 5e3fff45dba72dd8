package io.parley.server.room;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;

import io.parley.events.MemberJoined;
import io.parley.events.MemberLeft;
import io.parley.events.RoomCreated;
import io.parley.events.RoomEvent;
import io.parley.server.account.Accounts;
import io.parley.server.history.RoomWriter;
import io.parley.server.refusal.Refusal;
import io.parley.server.refusal.RefusedException;
import io.parley.store.room.Member;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.Memberships;
import io.parley.store.room.Memberships.Joining;
import io.parley.store.room.Room;
import io.parley.store.room.RoomKind;
import io.parley.store.room.RoomRepository;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Opens rooms and lets people in and out. The database decides, and then the log is told,
 * so that every node and the history know.
 */
@Component
public class RoomRegistry {

	private final RoomRepository rooms;

	private final MemberRepository members;

	private final Memberships memberships;

	private final MemberCache cache;

	private final Accounts accounts;

	private final RoomWriter writer;

	private final TransactionTemplate transaction;

	private final SecureRandom random = new SecureRandom();

	RoomRegistry(RoomRepository rooms, MemberRepository members, Memberships memberships, MemberCache cache,
			Accounts accounts, RoomWriter writer, TransactionTemplate transaction) {
		this.rooms = rooms;
		this.members = members;
		this.memberships = memberships;
		this.cache = cache;
		this.accounts = accounts;
		this.writer = writer;
		this.transaction = transaction;
	}

	/**
	 * Opens a group or channel, with the creator as its first member.
	 * @throws io.parley.server.refusal.RefusedException when a member does not exist or
	 * they are more than the capacity
	 */
	public Room create(String creator, String name, RoomKind kind, List<String> others, @Nullable Integer capacity) {
		Set<String> everybody = everybody(creator, others);
		if (capacity != null && everybody.size() > capacity) {
			throw Refusal.ROOM_FULL.because("The room has " + capacity + " places and " + everybody.size()
					+ " members; raise the capacity or invite fewer.");
		}
		return save(new Room(newId(), name, kind, capacity, everybody.size(), null, creator, now()), everybody);
	}

	/** The direct room of two users: the same one each time, whoever asks. */
	public Room direct(String user, String peer) {
		if (user.equals(peer)) {
			throw Refusal.BAD_REQUEST.because("A direct room needs another user.");
		}
		Set<String> both = everybody(user, List.of(peer));
		String key = String.join(":", both.stream().sorted().toList());
		return this.rooms.findByDirectKey(key).orElseGet(() -> {
			try {
				return save(new Room(newId(), "", RoomKind.DIRECT, 2, 2, key, user, now()), both);
			}
			catch (DataIntegrityViolationException ex) {
				return this.rooms.findByDirectKey(key).orElseThrow(() -> ex);
			}
		});
	}

	private Set<String> everybody(String creator, List<String> others) {
		Set<String> everybody = new LinkedHashSet<>(others);
		everybody.add(creator);
		everybody.forEach(this::requireUser);
		return everybody;
	}

	private Room save(Room room, Set<String> everybody) {
		this.transaction.executeWithoutResult((status) -> {
			this.rooms.save(room);
			everybody.forEach((user) -> this.members.save(new Member(room.getId(), user, room.getCreatedAt())));
		});
		append(new RoomCreated(room.getId(), newEventId(), room.getCreatedBy(), room.getCreatedAt(), room.getName(),
				room.getKind().wireName(), List.copyOf(everybody)), () -> remove(room, everybody));
		return room;
	}

	private void remove(Room room, Set<String> everybody) {
		this.transaction.executeWithoutResult((status) -> {
			everybody.forEach((user) -> this.members.remove(room.getId(), user));
			this.rooms.deleteById(room.getId());
		});
	}

	/**
	 * Lets a user in: by themselves, or brought in by a member.
	 * @return whether the user was no member before
	 */
	public boolean join(String room, String by, String user) {
		Joining joining = this.transaction.execute((status) -> takePlace(room, by, user));
		if (joining == Joining.JOINED) {
			this.cache.forget(room, user);
			append(new MemberJoined(room, newEventId(), by, now(), user), () -> this.memberships.leave(room, user));
		}
		return joining == Joining.JOINED;
	}

	/** In one transaction, so that a rush of users waits for few connections. */
	private Joining takePlace(String room, String by, String user) {
		Room found = require(room);
		if (!by.equals(user)) {
			requireMember(room, by);
			requireUser(user);
		}
		if (found.getKind() == RoomKind.DIRECT && !this.cache.isMember(room, user)) {
			throw Refusal.NOT_ALLOWED.because("A direct room has two members for good; open a group instead.");
		}
		Joining joining = found.isFull() ? withoutPlace(room, user) : this.memberships.join(room, user, now());
		if (joining == Joining.FULL_OR_ABSENT) {
			throw Refusal.ROOM_FULL.because("The room is full: it has " + found.getCapacity() + " places.");
		}
		return joining;
	}

	/** Nobody has to wait for the row of a room that is full. */
	private Joining withoutPlace(String room, String user) {
		return this.members.existsByRoomIdAndUsername(room, user) ? Joining.ALREADY_MEMBER : Joining.FULL_OR_ABSENT;
	}

	/** Lets a user go: by themselves, or removed by who opened the room. */
	public void leave(String room, String by, String user) {
		Room found = require(room);
		if (found.getKind() == RoomKind.DIRECT) {
			throw Refusal.NOT_ALLOWED.because("A direct room has two members for good.");
		}
		if (!by.equals(user) && !by.equals(found.getCreatedBy())) {
			throw Refusal.NOT_ALLOWED.because("Only " + found.getCreatedBy() + ", who opened the room, may do this.");
		}
		if (this.memberships.leave(room, user)) {
			this.cache.forget(room, user);
			append(new MemberLeft(room, newEventId(), by, now(), user), () -> this.memberships.join(room, user, now()));
		}
	}

	/** The room, for a member. */
	public Room requireMember(String room, String user) {
		Room found = require(room);
		this.cache.require(room, user);
		return found;
	}

	private Room require(String room) {
		return this.rooms.findById(room).orElseThrow(() -> Refusal.NOT_FOUND.because("There is no room " + room + "."));
	}

	private void requireUser(String user) {
		if (!this.accounts.exists(user)) {
			throw Refusal.NOT_FOUND.because("There is no user '" + user + "'.");
		}
	}

	/** What the log has certainly not taken is undone: then nothing has happened. */
	private void append(RoomEvent event, Runnable undo) {
		try {
			this.writer.append(event).join();
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof RefusedException refused) {
				if (refused.refusal() == Refusal.LOG_UNAVAILABLE) {
					undo.run();
				}
				throw refused;
			}
			throw ex;
		}
	}

	private String newId() {
		byte[] bytes = new byte[12];
		this.random.nextBytes(bytes);
		return Base64.getUrlEncoder().encodeToString(bytes);
	}

	private static String newEventId() {
		return UUID.randomUUID().toString();
	}

	private static Instant now() {
		return Instant.now().truncatedTo(ChronoUnit.MILLIS);
	}

}
