package io.parley.server.room;

import java.security.Principal;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.parley.server.error.ErrorCode;
import io.parley.server.limits.RateLimits;
import io.parley.store.room.Room;
import io.parley.store.room.RoomKind;
import io.parley.store.room.RoomRole;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Opens, lists, joins and leaves rooms, and changes roles: {@code /api/rooms}. */
@RestController
@RequestMapping("/api/rooms")
class RoomController {

	private static final int MAX_INVITED = 1_000;

	/**
	 * No user name is longer. The limit matters because rate limits remember names before
	 * it is known whether the users exist.
	 */
	private static final int MAX_NAME = 64;

	private final RoomRegistry rooms;

	private final RoomMembership membership;

	private final RoomModeration moderation;

	private final RoomViews views;

	private final RateLimits rates;

	RoomController(RoomRegistry rooms, RoomMembership membership, RoomModeration moderation, RoomViews views,
			RateLimits rates) {
		this.rooms = rooms;
		this.membership = membership;
		this.moderation = moderation;
		this.views = views;
		this.rates = rates;
	}

	/**
	 * @param name shown to people; direct rooms have none
	 * @param members invited besides the creator; the peer of a direct room
	 * @param capacity the maximum number of members of a group or channel
	 * @param isPrivate whether users join a channel by invitation only; always so for
	 * other rooms
	 */
	record NewRoom(@Nullable String name, @NotNull RoomKind kind,
			@Nullable @Size(max = MAX_INVITED) List<@NotNull @Size(max = MAX_NAME) String> members,
			@Nullable @Positive Integer capacity, @JsonProperty("private") @Nullable Boolean isPrivate) {
	}

	record NewMember(@NotNull @Size(max = MAX_NAME) String username) {
	}

	record NewRole(@NotNull RoomRole role) {
	}

	record GivenRole(String username, RoomRole role) {
	}

	@PostMapping
	@ResponseStatus(HttpStatus.CREATED)
	RoomViews.Detailed create(@Valid @RequestBody NewRoom room, Principal user) {
		this.rates.takeSignal(user.getName());
		return this.views.detailed(open(room, user.getName()), user.getName());
	}

	private Room open(NewRoom room, String creator) {
		if (room.kind() != RoomKind.CHANNEL && Boolean.FALSE.equals(room.isPrivate())) {
			throw ErrorCode.BAD_REQUEST
				.because("A " + room.kind().wireName() + " is always 'private'; open a channel instead.");
		}
		List<String> members = (room.members() != null) ? room.members() : List.of();
		if (room.kind() == RoomKind.DIRECT) {
			List<String> peers = members.stream().filter((member) -> !member.equals(creator)).distinct().toList();
			if (peers.size() != 1) {
				throw ErrorCode.BAD_REQUEST.because("A direct room needs exactly one other user in 'members'.");
			}
			return this.rooms.direct(creator, peers.getFirst());
		}
		if (room.name() == null) {
			throw ErrorCode.BAD_REQUEST.because("A " + room.kind().wireName() + " needs a 'name'.");
		}
		return this.rooms.create(creator, RoomText.name(room.name()), room.kind(), members, room.capacity(),
				room.kind() != RoomKind.CHANNEL || Boolean.TRUE.equals(room.isPrivate()));
	}

	@GetMapping
	List<RoomViews.Listed> mine(@RequestParam(defaultValue = "false") boolean presence, Principal user) {
		return this.views.of(user.getName(), presence);
	}

	@GetMapping("/{room}")
	RoomViews.Detailed one(@PathVariable String room, Principal user) {
		return this.views.detailed(this.rooms.requireMember(room, user.getName()), user.getName());
	}

	/** Returns a page of the members, in the order of their names. */
	@GetMapping("/{room}/members")
	RoomViews.Members members(@PathVariable String room, @RequestParam(defaultValue = "") String after,
			@RequestParam(defaultValue = "200") int limit, Principal user) {
		if (limit < 1) {
			throw ErrorCode.BAD_REQUEST.because("'limit' must be at least 1.");
		}
		return this.views.members(this.rooms.requireMember(room, user.getName()), user.getName(), after, limit);
	}

	@PutMapping("/{room}/members/{username}")
	GivenRole changeRole(@PathVariable String room, @PathVariable String username, @Valid @RequestBody NewRole given,
			Principal user) {
		this.rates.takeSignal(user.getName());
		this.moderation.changeRole(room, user.getName(), username, given.role());
		return new GivenRole(username, given.role());
	}

	@PostMapping("/{room}/members")
	ResponseEntity<NewMember> join(@PathVariable String room, @Valid @RequestBody NewMember member, Principal user) {
		this.rates.takeSignal(user.getName());
		boolean joined = this.membership.join(room, user.getName(), member.username());
		return ResponseEntity.status(joined ? HttpStatus.CREATED : HttpStatus.OK).body(member);
	}

	@DeleteMapping("/{room}/members/{username}")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void leave(@PathVariable String room, @PathVariable String username, Principal user) {
		this.rates.takeSignal(user.getName());
		this.membership.leave(room, user.getName(), username);
	}

}
