package io.parley.server.room;

import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.parley.server.error.ErrorCode;
import io.parley.server.json.WireTime;
import io.parley.server.limits.RateLimits;
import io.parley.store.room.BannedUser;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Bans and mutes users in a room, and lifts both. */
@RestController
@RequestMapping("/api/rooms/{room}")
class ModerationController {

	private static final Duration LONGEST_MUTE = Duration.ofDays(366);

	private final RoomModeration moderation;

	private final RoomMembership membership;

	private final RateLimits rates;

	ModerationController(RoomModeration moderation, RoomMembership membership, RateLimits rates) {
		this.moderation = moderation;
		this.membership = membership;
		this.rates = rates;
	}

	/**
	 * @param until when the mute ends, in the future and at most a year away
	 */
	record Mute(@NotNull String until) {
	}

	@GetMapping("/bans")
	List<BannedUser> bans(@PathVariable String room, Principal user) {
		return this.moderation.bans(room, user.getName());
	}

	@PutMapping("/bans/{username}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void ban(@PathVariable String room, @PathVariable String username, Principal user) {
		this.rates.takeSignal(user.getName());
		if (username.equals(user.getName())) {
			throw ErrorCode.BAD_REQUEST.because("You cannot ban yourself; leave the room instead.");
		}
		this.membership.leave(room, user.getName(), username);
	}

	@DeleteMapping("/bans/{username}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void liftBan(@PathVariable String room, @PathVariable String username, Principal user) {
		this.rates.takeSignal(user.getName());
		this.moderation.liftBan(room, user.getName(), username);
	}

	@PutMapping("/mutes/{username}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void mute(@PathVariable String room, @PathVariable String username, @Valid @RequestBody Mute mute, Principal user) {
		this.rates.takeSignal(user.getName());
		Instant until = WireTime.parseFuture("until", mute.until(), LONGEST_MUTE);
		this.moderation.mute(room, user.getName(), username, until);
	}

	@DeleteMapping("/mutes/{username}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void unmute(@PathVariable String room, @PathVariable String username, Principal user) {
		this.rates.takeSignal(user.getName());
		this.moderation.unmute(room, user.getName(), username);
	}

}
