package io.parley.server.room;

import java.util.Set;

import io.parley.events.MemberJoined;
import io.parley.events.MemberLeft;
import io.parley.server.error.ErrorCode;
import io.parley.server.limits.RateLimits;
import io.parley.store.draft.DraftRepository;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.Memberships;
import io.parley.store.room.Memberships.Departure;
import io.parley.store.room.Memberships.Joining;
import io.parley.store.room.Room;
import io.parley.store.room.RoomKind;
import io.parley.store.room.RoomRepository;
import io.parley.store.room.RoomRole;
import io.parley.store.room.UnconfirmedChanges.Kind;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Adds users to rooms and removes them. The database decides; an event in the log then
 * informs every node and the history, except of joins of {@linkplain LargeRooms large}
 * rooms. To a user who is not a member, a room that they may not enter looks like one
 * that does not exist.
 */
@Component
class RoomMembership {

	private static final Runnable NOTHING = () -> {
	};

	private final RoomRepository rooms;

	private final MemberRepository members;

	private final Memberships memberships;

	private final OpenJoins openJoins;

	private final MemberCache cache;

	private final DraftRepository drafts;

	private final RoomLock lock;

	private final MemberAccounts accounts;

	private final BlockService blocks;

	private final RateLimits rates;

	private final RoomChanges changes;

	private final RoleEvents roleEvents;

	private final TransactionTemplate transaction;

	private final ApplicationEventPublisher events;

	RoomMembership(RoomRepository rooms, MemberRepository members, Memberships memberships, OpenJoins openJoins,
			MemberCache cache, DraftRepository drafts, RoomLock lock, MemberAccounts accounts, BlockService blocks,
			RateLimits rates, RoomChanges changes, RoleEvents roleEvents, TransactionTemplate transaction,
			ApplicationEventPublisher events) {
		this.rooms = rooms;
		this.members = members;
		this.memberships = memberships;
		this.openJoins = openJoins;
		this.cache = cache;
		this.drafts = drafts;
		this.lock = lock;
		this.accounts = accounts;
		this.blocks = blocks;
		this.rates = rates;
		this.changes = changes;
		this.roleEvents = roleEvents;
		this.transaction = transaction;
		this.events = events;
	}

	/**
	 * Adds a user to a room, on their own request or on that of a member. Idempotent.
	 * @return whether the user was not a member before
	 * @throws io.parley.server.error.ChatException if the user may not join
	 */
	boolean join(String room, String by, String user) {
		if (by.equals(user)) {
			return tell(room, by, user, this.openJoins.join(room, user), NOTHING);
		}
		this.rates.takeInvitations(by, Set.of(user));
		JoinResult result = this.transaction.execute((status) -> add(room, by, user));
		return tell(room, by, user, result, NOTHING);
	}

	/**
	 * Adds a user who has an invite link. Idempotent: a member needs no use of it.
	 * @param take takes a use of the link; called in the transaction of the join
	 * @param giveBack gives the use back; called when the join was reverted
	 * @return whether the user was not a member before
	 * @throws io.parley.server.error.ChatException if the user may not join
	 */
	boolean joinInvited(String room, String user, Runnable take, Runnable giveBack) {
		JoinResult result = this.transaction.execute((status) -> {
			if (isMember(room, user)) {
				return JoinResult.ALREADY_MEMBER;
			}
			// First, as whoever revokes the link does.
			this.rooms.lock(room);
			take.run();
			Room found = this.rooms.findById(room).orElseThrow(() -> JoinRefusals.notFound(room));
			return joinOrThrow(found, user, false, true);
		});
		return tell(room, user, user, result, giveBack);
	}

	private boolean tell(String room, String by, String user, JoinResult result, Runnable onUndo) {
		Joining joining = result.joining();
		Room large = result.large();
		if (joining.isNew()) {
			this.cache.forget(room, user);
			if (large != null) {
				this.events.publishEvent(new MemberAdded(room, large.getName(), large.getKind(), user, by));
			}
			else {
				appendJoined(room, by, user, joining, onUndo);
			}
		}
		else if (this.changes.isUnconfirmed(room, user, Kind.JOINED)) {
			appendJoined(room, by, user, joining, onUndo);
			this.changes.confirmed(room, user, Kind.JOINED);
		}
		return joining.isNew();
	}

	/**
	 * Does not use the cache: another request may be loading its entry while it waits for
	 * the connection held here.
	 */
	private JoinResult add(String room, String by, String user) {
		Room found = this.rooms.findById(room).orElse(null);
		RoomRole role = this.members.roleOf(room, by).orElse(null);
		if (found == null || role == null) {
			throw RoomAccess.notAMember(room);
		}
		RoomPermissions.require(RoomAction.ADD_MEMBER, role);
		this.accounts.requireUsable(Set.of(user));
		if (found.getKind() == RoomKind.DIRECT) {
			return requireAlreadyMember(room, user);
		}
		this.blocks.requireMayBringIn(by, Set.of(user));
		return joinOrThrow(found, user, RoomPermissions.allows(RoomAction.LIFT_BAN, role), false);
	}

	private JoinResult requireAlreadyMember(String room, String user) {
		if (!isMember(room, user)) {
			throw ErrorCode.NOT_ALLOWED.because("A direct room has two members for good; open a group instead.");
		}
		return JoinResult.ALREADY_MEMBER;
	}

	private JoinResult joinOrThrow(Room room, String user, boolean liftBan, boolean self) {
		return JoinResult.of(room, JoinRefusals.requireMember(tryJoin(room, user, liftBan), room, user, self));
	}

	private Joining tryJoin(Room room, String user, boolean liftBan) {
		String id = room.getId();
		if (room.isFull()) {
			// Does not wait for the row lock of a full room.
			return isMember(id, user) ? Joining.ALREADY_MEMBER : Joining.FULL_OR_ABSENT;
		}
		return liftBan ? this.memberships.readmit(id, user, RoomChanges.now())
				: this.memberships.join(id, user, RoomChanges.now());
	}

	private boolean isMember(String room, String user) {
		return this.members.existsByRoomIdAndUsername(room, user);
	}

	private void appendJoined(String room, String by, String user, Joining joining, Runnable onUndo) {
		this.changes.append(new MemberJoined(room, RoomChanges.newEventId(), by, RoomChanges.now(), user), () -> {
			if (joining.isNew()) {
				this.memberships.undoJoin(room, user, joining, by, RoomChanges.now());
				this.cache.forget(room, user);
				onUndo.run();
			}
			return joining.isNew();
		}, () -> this.changes.unconfirmed(room, user, Kind.JOINED));
	}

	/**
	 * Removes a user from a room: either they leave, or a member with a higher role
	 * removes and bans them. Idempotent.
	 * @throws io.parley.server.error.ChatException if the user may not be removed
	 */
	void leave(String room, String by, String user) {
		Departure departure = by.equals(user) ? leave(room, user) : remove(room, by, user);
		this.cache.forget(room, user);
		if (departure.left() || this.changes.isUnconfirmed(room, user, Kind.LEFT)) {
			appendLeft(room, by, user, departure);
			this.events.publishEvent(new MemberGone(room));
			this.changes.confirmed(room, user, Kind.LEFT);
			this.drafts.deleteIn(room, user);
			this.roleEvents.tellHeir(room, by, departure.heir());
		}
	}

	private Departure leave(String room, String user) {
		Room found = this.rooms.findById(room).orElse(null);
		if (found != null && found.getKind() == RoomKind.DIRECT) {
			if (!isMember(room, user)) {
				return Departure.NONE;
			}
			throw ErrorCode.NOT_ALLOWED.because("A direct room has two members for good.");
		}
		return (found != null) ? this.memberships.leave(room, user, RoomChanges.now()) : Departure.NONE;
	}

	/** Does not ban a name without an account, because bans are kept for ever. */
	private Departure remove(String room, String by, String user) {
		return this.lock.as(by, room, RoomAction.REMOVE, (role) -> {
			RoomRole target = this.members.roleOf(room, user).orElse(null);
			RoomPermissions.requireOn(RoomAction.REMOVE, role, target);
			return (target != null || this.accounts.exists(user))
					? this.memberships.remove(room, user, by, RoomChanges.now()) : Departure.NONE;
		});
	}

	/**
	 * Once removed, a user receives no more events, whether or not the event is in the
	 * log.
	 */
	private void appendLeft(String room, String by, String user, Departure departure) {
		this.changes.append(new MemberLeft(room, RoomChanges.newEventId(), by, RoomChanges.now(), user), () -> {
			boolean restored = departure.left() && this.memberships.undoLeave(room, user, departure, RoomChanges.now());
			this.cache.forget(room, user);
			return restored;
		}, () -> {
			this.events.publishEvent(new MemberRemoved(room, user, by));
			this.roleEvents.tellHeir(room, by, departure.heir());
		});
	}

}
