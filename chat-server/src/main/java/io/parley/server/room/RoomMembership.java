package io.parley.server.room;

import java.util.Set;

import io.parley.events.MemberJoined;
import io.parley.events.MemberLeft;
import io.parley.server.error.ErrorCode;
import io.parley.server.session.RateLimits;
import io.parley.store.account.AccountRepository;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.Memberships;
import io.parley.store.room.Memberships.Joining;
import io.parley.store.room.Room;
import io.parley.store.room.RoomKind;
import io.parley.store.room.RoomRepository;
import io.parley.store.room.UnconfirmedChanges.Kind;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Adds users to rooms and removes them. The database decides; an event in the log then
 * informs every node and the history. To a user who is not a member, a room that they may
 * not enter looks like one that does not exist.
 */
@Component
class RoomMembership {

	private final RoomRepository rooms;

	private final MemberRepository members;

	private final Memberships memberships;

	private final MemberCache cache;

	private final AccountRepository accounts;

	private final UserBlocks blocks;

	private final RateLimits rates;

	private final RoomChanges changes;

	private final TransactionTemplate transaction;

	private final ApplicationEventPublisher events;

	RoomMembership(RoomRepository rooms, MemberRepository members, Memberships memberships, MemberCache cache,
			AccountRepository accounts, UserBlocks blocks, RateLimits rates, RoomChanges changes,
			TransactionTemplate transaction, ApplicationEventPublisher events) {
		this.rooms = rooms;
		this.members = members;
		this.memberships = memberships;
		this.cache = cache;
		this.accounts = accounts;
		this.blocks = blocks;
		this.rates = rates;
		this.changes = changes;
		this.transaction = transaction;
		this.events = events;
	}

	/**
	 * Adds a user to a room, on their own request or on that of a member. Idempotent.
	 * @return whether the user was not a member before
	 * @throws io.parley.server.error.ChatException if the user may not join
	 */
	boolean join(String room, String by, String user) {
		if (!by.equals(user)) {
			this.rates.takeInvitations(by, Set.of(user));
		}
		Joining joining = this.transaction.execute((status) -> joinInTransaction(room, by, user));
		if (joining.isNew()) {
			this.cache.forget(room, user);
			appendJoined(room, by, user, joining);
		}
		else if (this.changes.isUnconfirmed(room, user, Kind.JOINED)) {
			appendJoined(room, by, user, joining);
			this.changes.confirmed(room, user, Kind.JOINED);
		}
		return joining.isNew();
	}

	/**
	 * Runs in one transaction, so that a rush of users needs few connections. Does not
	 * use the cache: another request may be loading the entry while it waits for the
	 * connection held here.
	 */
	private Joining joinInTransaction(String room, String by, String user) {
		Room found = this.rooms.findById(room).orElse(null);
		if (!by.equals(user) && (found == null || !isMember(room, by))) {
			throw MemberCache.notAMember(room);
		}
		if (found == null || (found.getKind() == RoomKind.DIRECT && !isMember(room, by))) {
			throw ErrorCode.NOT_FOUND.because("There is no room " + room + " that you can join.");
		}
		if (!this.accounts.existsById(user)) {
			throw RoomRegistry.noSuchUser(user);
		}
		if (found.getKind() == RoomKind.DIRECT) {
			return requireAlreadyMember(room, user);
		}
		if (!by.equals(user)) {
			this.blocks.requireMayBringIn(by, Set.of(user));
		}
		return joinOrThrow(found, by, user);
	}

	private Joining requireAlreadyMember(String room, String user) {
		if (!isMember(room, user)) {
			throw ErrorCode.NOT_ALLOWED.because("A direct room has two members for good; open a group instead.");
		}
		return Joining.ALREADY_MEMBER;
	}

	private Joining joinOrThrow(Room room, String by, String user) {
		return switch (tryJoin(room, by, user)) {
			case FULL_OR_ABSENT ->
				throw ErrorCode.ROOM_FULL.because("The room is full: it has " + room.getCapacity() + " places.");
			case BANNED -> throw ErrorCode.NOT_ALLOWED
				.because(by.equals(user) ? "You were removed from this room; ask its creator to let you in again."
						: "'" + user + "' was removed from this room; only its creator can let them in again.");
			case Joining joining -> joining;
		};
	}

	private Joining tryJoin(Room room, String by, String user) {
		String id = room.getId();
		if (room.isFull()) {
			// Does not wait for the row lock of a full room.
			return isMember(id, user) ? Joining.ALREADY_MEMBER : Joining.FULL_OR_ABSENT;
		}
		return by.equals(room.getCreatedBy()) ? this.memberships.readmit(id, user, RoomChanges.now())
				: this.memberships.join(id, user, RoomChanges.now());
	}

	private boolean isMember(String room, String user) {
		return this.members.existsByRoomIdAndUsername(room, user);
	}

	private void appendJoined(String room, String by, String user, Joining joining) {
		this.changes.append(new MemberJoined(room, RoomChanges.newEventId(), by, RoomChanges.now(), user), () -> {
			if (joining.isNew()) {
				this.memberships.undoJoin(room, user, joining, by, RoomChanges.now());
				this.cache.forget(room, user);
			}
			return joining.isNew();
		}, () -> this.changes.unconfirmed(room, user, Kind.JOINED));
	}

	/**
	 * Removes a user from a room: either they leave, or the creator of the room removes
	 * and bans them. Idempotent.
	 * @throws io.parley.server.error.ChatException if the user may not be removed
	 */
	void leave(String room, String by, String user) {
		Room found = findForLeave(room, by, user);
		if (found == null) {
			return;
		}
		boolean left = by.equals(user) ? this.memberships.leave(room, user, RoomChanges.now())
				: remove(found, by, user);
		this.cache.forget(room, user);
		if (left || this.changes.isUnconfirmed(room, user, Kind.LEFT)) {
			appendLeft(room, by, user, left);
			this.changes.confirmed(room, user, Kind.LEFT);
		}
	}

	/**
	 * Returns the room if the user may be removed from it, or null if there is nothing to
	 * do.
	 */
	private @Nullable Room findForLeave(String room, String by, String user) {
		boolean self = by.equals(user);
		if (!self) {
			this.cache.require(room, by);
		}
		Room found = this.rooms.findById(room).orElse(null);
		if (found == null || (found.getKind() == RoomKind.DIRECT && !this.cache.isMember(room, by))) {
			return null;
		}
		if (found.getKind() == RoomKind.DIRECT) {
			throw ErrorCode.NOT_ALLOWED.because("A direct room has two members for good.");
		}
		if (!self && !by.equals(found.getCreatedBy())) {
			throw ErrorCode.NOT_ALLOWED.because("Only " + found.getCreatedBy() + ", who opened the room, may do this.");
		}
		return found;
	}

	/** Does not ban a name without an account, because bans are kept for ever. */
	private boolean remove(Room room, String by, String user) {
		return (isMember(room.getId(), user) || this.accounts.existsById(user))
				&& this.memberships.remove(room.getId(), user, by, RoomChanges.now());
	}

	/**
	 * Once removed, a user receives no more events, whether or not the event is in the
	 * log.
	 */
	private void appendLeft(String room, String by, String user, boolean left) {
		this.changes.append(new MemberLeft(room, RoomChanges.newEventId(), by, RoomChanges.now(), user), () -> {
			boolean restored = left && this.memberships.undoLeave(room, user, RoomChanges.now());
			this.cache.forget(room, user);
			return restored;
		}, () -> this.events.publishEvent(new MemberRemoved(room, user, by)));
	}

}
