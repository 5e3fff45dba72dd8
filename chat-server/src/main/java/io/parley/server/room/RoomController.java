package io.parley.server.room;

import java.security.Principal;
import java.util.List;

import io.parley.server.error.ErrorCode;
import io.parley.server.session.RateLimits;
import io.parley.store.room.Room;
import io.parley.store.room.RoomKind;
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
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Opens, lists, joins and leaves rooms: {@code /api/rooms}. */
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

	private final RoomViews views;

	private final RateLimits rates;

	RoomController(RoomRegistry rooms, RoomMembership membership, RoomViews views, RateLimits rates) {
		this.rooms = rooms;
		this.membership = membership;
		this.views = views;
		this.rates = rates;
	}

	/**
	 * @param name shown to people; direct rooms have none
	 * @param members invited besides the creator; the peer of a direct room
	 * @param capacity the maximum number of members of a group or channel
	 */
	record NewRoom(@Nullable @Size(max = 100) String name, @NotNull RoomKind kind,
			@Nullable @Size(max = MAX_INVITED) List<@NotNull @Size(max = MAX_NAME) String> members,
			@Nullable @Positive Integer capacity) {
	}

	record NewMember(@NotNull @Size(max = MAX_NAME) String username) {
	}

	@PostMapping
	@ResponseStatus(HttpStatus.CREATED)
	RoomViews.Detailed create(@Valid @RequestBody NewRoom room, Principal user) {
		this.rates.takeSignal(user.getName());
		return this.views.detailed(open(room, user.getName()));
	}

	private Room open(NewRoom room, String creator) {
		List<String> members = (room.members() != null) ? room.members() : List.of();
		if (room.kind() == RoomKind.DIRECT) {
			List<String> peers = members.stream().filter((member) -> !member.equals(creator)).distinct().toList();
			if (peers.size() != 1) {
				throw ErrorCode.BAD_REQUEST.because("A direct room needs exactly one other user in 'members'.");
			}
			return this.rooms.direct(creator, peers.getFirst());
		}
		if (room.name() == null || room.name().isBlank()) {
			throw ErrorCode.BAD_REQUEST.because("A " + room.kind().wireName() + " needs a 'name'.");
		}
		return this.rooms.create(creator, room.name().strip(), room.kind(), members, room.capacity());
	}

	@GetMapping
	List<RoomViews.Listed> mine(Principal user) {
		return this.views.of(user.getName());
	}

	@GetMapping("/{room}")
	RoomViews.Detailed one(@PathVariable String room, Principal user) {
		return this.views.detailed(this.rooms.requireMember(room, user.getName()));
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
