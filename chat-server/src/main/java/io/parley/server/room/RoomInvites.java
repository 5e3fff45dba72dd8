package io.parley.server.room;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

import io.parley.server.error.ErrorCode;
import io.parley.store.room.Invite;
import io.parley.store.room.InviteRepository;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Makes, lists, revokes and redeems invite links. The secret of a link has 128 random
 * bits and is stored as a hash: it is shown once. Safe for use by many threads.
 */
@Component
class RoomInvites {

	/** Maximum number of unexpired links of one room. */
	private static final int MAX_LINKS = 100;

	private static final int SECRET_BYTES = 16;

	private static final int ID_BYTES = 12;

	private final InviteRepository invites;

	private final RoomLock lock;

	private final RoomMembership membership;

	private final SecureRandom random = new SecureRandom();

	RoomInvites(InviteRepository invites, RoomLock lock, RoomMembership membership) {
		this.invites = invites;
		this.lock = lock;
		this.membership = membership;
	}

	/** A new link with its secret. */
	record Created(Invite invite, String token) {
	}

	/**
	 * Makes a link.
	 * @param uses how many users may join by it; null for no limit
	 * @throws io.parley.server.error.ChatException if the user may not make links, or the
	 * room has too many
	 */
	Created create(String room, String by, Instant expires, @Nullable Integer uses) {
		String token = random(SECRET_BYTES);
		Instant now = RoomChanges.now();
		Invite invite = new Invite(random(ID_BYTES), room, hash(token), by, now, expires, uses);
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
	Redeemed redeem(String token, String user) {
		Invite invite = this.invites.findBySecretHash(hash(token)).orElseThrow(RoomInvites::notFound);
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

	private String random(int length) {
		byte[] bytes = new byte[length];
		this.random.nextBytes(bytes);
		return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
	}

	private static String hash(String token) {
		try {
			byte[] hash = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(hash);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
