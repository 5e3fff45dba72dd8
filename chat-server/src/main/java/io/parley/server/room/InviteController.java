package io.parley.server.room;

import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.parley.server.account.LinkToken;
import io.parley.server.json.WireTime;
import io.parley.server.limits.RateLimits;
import io.parley.store.room.Invite;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Positive;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Makes, lists and revokes invite links of a room, and lets users join by one. */
@RestController
class InviteController {

	private static final Duration DEFAULT_LIFE = Duration.ofDays(7);

	private static final Duration LONGEST_LIFE = Duration.ofDays(30);

	private static final int MAX_USES = 10_000;

	private final RoomInvites invites;

	private final RoomRegistry rooms;

	private final RoomViews views;

	private final RateLimits rates;

	InviteController(RoomInvites invites, RoomRegistry rooms, RoomViews views, RateLimits rates) {
		this.invites = invites;
		this.rooms = rooms;
		this.views = views;
		this.rates = rates;
	}

	/**
	 * @param expires 7 days from now by default, at most 30
	 * @param uses how many users may join; no limit by default
	 */
	record NewInvite(@Nullable String expires, @Nullable @Positive @Max(MAX_USES) Integer uses) {
	}

	/**
	 * An invite link.
	 *
	 * @param token the secret; shown only when the link is made
	 * @param uses how many users may join; null for no limit
	 * @param used how many have joined
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record InviteView(String id, @Nullable String token, Instant expires, @Nullable Integer uses, int used, String by,
			Instant createdAt) {

		static InviteView of(Invite invite, @Nullable String token) {
			return new InviteView(invite.getId(), token, invite.getExpiresAt(), invite.getMaxUses(), invite.getUses(),
					invite.getCreatedBy(), invite.getCreatedAt());
		}

	}

	@PostMapping("/api/rooms/{room}/invites")
	@ResponseStatus(HttpStatus.CREATED)
	InviteView create(@PathVariable String room, @Valid @RequestBody NewInvite wanted, Principal user) {
		this.rates.takeSignal(user.getName());
		RoomInvites.Created created = this.invites.create(room, user.getName(), expiry(wanted.expires()),
				wanted.uses());
		return InviteView.of(created.invite(), created.token().value());
	}

	private static Instant expiry(@Nullable String wanted) {
		return (wanted != null) ? WireTime.parseFuture("expires", wanted, LONGEST_LIFE)
				: RoomChanges.now().plus(DEFAULT_LIFE);
	}

	@GetMapping("/api/rooms/{room}/invites")
	List<InviteView> list(@PathVariable String room, Principal user) {
		return this.invites.of(room, user.getName()).stream().map((invite) -> InviteView.of(invite, null)).toList();
	}

	@DeleteMapping("/api/rooms/{room}/invites/{id}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void revoke(@PathVariable String room, @PathVariable String id, Principal user) {
		this.rates.takeSignal(user.getName());
		this.invites.revoke(room, user.getName(), id);
	}

	/** Joins the room of a link: 201, or 200 for a user who is a member already. */
	@PostMapping("/api/invites/{token}")
	ResponseEntity<RoomViews.Detailed> redeem(@PathVariable String token, Principal user) {
		String name = user.getName();
		this.rates.takeSignal(name);
		RoomInvites.Redeemed redeemed = this.invites.redeem(new LinkToken(token), name);
		return ResponseEntity.status(redeemed.isNew() ? HttpStatus.CREATED : HttpStatus.OK)
			.body(this.views.detailed(this.rooms.requireMember(redeemed.room(), name), name));
	}

}
