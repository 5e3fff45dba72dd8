package io.parley.server.room;

import java.time.Instant;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.parley.server.error.ErrorCode;
import io.parley.store.LikePattern;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.Room;
import io.parley.store.room.RoomKind;
import io.parley.store.room.RoomRepository;
import io.parley.store.room.RoomRole;
import io.parley.store.room.Standing;
import org.jspecify.annotations.Nullable;

import org.springframework.data.domain.Limit;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Lists the rooms and their members for operators, without any message. */
@RestController
@RequestMapping("/api/operator/rooms")
class OperatorRoomController {

	private static final int MAX_PAGE = 500;

	private final RoomRepository rooms;

	private final MemberRepository members;

	OperatorRoomController(RoomRepository rooms, MemberRepository members) {
		this.rooms = rooms;
		this.members = members;
	}

	/**
	 * A room.
	 *
	 * @param name empty for a direct room
	 * @param capacity the maximum number of members, or null
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record View(String id, String name, RoomKind kind, @JsonProperty("private") boolean isPrivate, int memberCount,
			@Nullable Integer capacity, String createdBy, Instant createdAt) {

		static View of(Room room) {
			return new View(room.getId(), room.getName(), room.getKind(), !room.isOpen(), room.getMemberCount(),
					room.getCapacity(), room.getCreatedBy(), room.getCreatedAt());
		}

	}

	/**
	 * @param next pass it as {@code after} for the next page; null on the last page
	 */
	record Page(List<View> rooms, @Nullable String next) {
	}

	/**
	 * A member of a room.
	 *
	 * @param role null in a direct room, which has no roles
	 * @param mutedUntil null unless the member is muted now
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record MemberView(String username, @Nullable RoomRole role, @Nullable Instant mutedUntil) {

		static MemberView of(Standing member, RoomKind kind) {
			return new MemberView(member.username(), (kind != RoomKind.DIRECT) ? member.role() : null,
					member.isMuted(Instant.now()) ? member.mutedUntil() : null);
		}

	}

	/**
	 * @param next pass it as {@code after} for the next page; null on the last page
	 */
	record MemberPage(List<MemberView> members, @Nullable String next) {
	}

	/**
	 * Returns rooms in the order of their ids.
	 * @param search a part of the name, whatever its case
	 * @param member only the rooms of this user
	 */
	@GetMapping
	Page rooms(@RequestParam(defaultValue = "") String search, @RequestParam @Nullable String member,
			@RequestParam(defaultValue = "") String after, @RequestParam(defaultValue = "100") int limit) {
		requireLimit(limit);
		String pattern = LikePattern.containing(search);
		List<View> page = ((member != null) ? this.rooms.pageOf(member, pattern, after, Limit.of(limit))
				: this.rooms.page(pattern, after, Limit.of(limit)))
			.stream()
			.map(View::of)
			.toList();
		return new Page(page, (page.size() == limit) ? page.getLast().id() : null);
	}

	@GetMapping("/{room}")
	View room(@PathVariable String room) {
		return View.of(find(room));
	}

	/** Returns members in the order of their names. */
	@GetMapping("/{room}/members")
	MemberPage members(@PathVariable String room, @RequestParam(defaultValue = "") String after,
			@RequestParam(defaultValue = "100") int limit) {
		requireLimit(limit);
		RoomKind kind = find(room).getKind();
		List<MemberView> page = this.members.standingsOf(room, after, Limit.of(limit))
			.stream()
			.map((member) -> MemberView.of(member, kind))
			.toList();
		return new MemberPage(page, (page.size() == limit) ? page.getLast().username() : null);
	}

	private Room find(String room) {
		return this.rooms.findById(room)
			.orElseThrow(() -> ErrorCode.NOT_FOUND.because("There is no room '" + room + "'."));
	}

	private static void requireLimit(int limit) {
		if (limit < 1 || limit > MAX_PAGE) {
			throw ErrorCode.BAD_REQUEST.because("'limit' must be 1 to " + MAX_PAGE + ".");
		}
	}

}
