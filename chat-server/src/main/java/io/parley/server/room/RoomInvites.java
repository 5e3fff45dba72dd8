package io.parley.server.room;

import java.time.Instant;
import java.util.List;

import io.parley.server.account.LinkToken;
import io.parley.server.error.ErrorCode;
import io.parley.store.room.Invite;
import io.parley.store.room.InviteRepository;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Makes, lists, revokes and redeems invite links. The secret of a link is shown once.
 * Safe for use by many threads.
 */
@Component
class RoomInvites {

	/** Maximum number of unexpired links of one room. */
	private static final int MAX_LINKS = 100;

	private final InviteRepository invites;

	private final RoomLock lock;

	private final RoomMembership membership;

	RoomInvites(InviteRepository invites, RoomLock lock, RoomMembership membership) {
		this.invites = invites;
		this.lock = lock;
		this.membership = membership;
	}

	/** A new link with its secret. */
	record Created(Invite invite, LinkToken token) {
	}

	/**
	 * Makes a link.
	 * @param uses how many users may join by it; null for no limit
	 * @throws io.parley.server.error.ChatException if the user may not make links, or the
	 * room has too many
	 */
	Created create(String room, String by, Instant expires, @Nullable Integer uses) {
		LinkToken token = LinkToken.create();
		Instant now = RoomChanges.now();
		Invite invite = new Invite(LinkToken.create().value(), room, token.hash(), by, now, expires, uses);
		this.lock.as(by, room, RoomAction.INVITE, (role) -> {
			this.invites.removeExpired(room, now);
			if (this.invites.of(room, now).size() >= MAX_LINKS) {
				throw ErrorCode.NOT_ALLOWED.because("The room has " + MAX_LINKS + " invite links; revoke one first.");
			}
			return this.invites.save(invite);
		});
		return new Created(invite, token);
	}

	/** Returns the links of a room that have not expired. */
	List<Invite> of(String room, String by) {
		return this.lock.as(by, room, RoomAction.INVITE, (role) -> this.invites.of(room, Instant.now()));
	}

	/** Revokes a link of a room. Idempotent. */
	void revoke(String room, String by, String id) {
		this.lock.as(by, room, RoomAction.INVITE, (role) -> this.invites.revoke(room, id));
	}

	/** The room that a user has joined. */
	record Redeemed(String room, boolean isNew) {
	}

	/**
	 * Joins the room of a link. A member of that room needs no use of it.
	 * @throws io.parley.server.error.ChatException {@code not-found} if the link was
	 * never made, has expired, is used up or was revoked, or if who made it is no
	 * moderator any more or has no active account, which all look the same; another code
	 * if the user may not join
	 */
	Redeemed redeem(LinkToken token, String user) {
		Invite invite = this.invites.findBySecretHash(token.hash()).orElseThrow(RoomInvites::notFound);
		boolean joined = this.membership.joinInvited(invite.getRoomId(), user, () -> {
			if (this.invites.take(invite.getId(), Instant.now()) == 0) {
				throw notFound();
			}
		}, () -> this.invites.giveBack(invite.getId()));
		return new Redeemed(invite.getRoomId(), joined);
	}

	private static RuntimeException notFound() {
		return ErrorCode.NOT_FOUND.because("This invite link does not exist or is no longer valid; ask for a new one.");
	}

}
