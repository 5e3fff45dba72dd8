package io.parley.server.message;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.parley.events.Mentions;
import io.parley.server.database.Database;
import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.server.room.RoomAccess;
import io.parley.server.room.RoomAction;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.RoomRole;
import org.jspecify.annotations.Nullable;

import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Component;

/**
 * Decides whom a message may mention, and replaces groups by their members, so that the
 * readers of the log need not know who was in a group. Safe for use by many threads.
 */
@Component
class MessageMentions {

	/** The groups of each room, with the roles of their members. */
	private static final Map<String, Set<RoomRole>> GROUPS = Map.of("owners", Set.of(RoomRole.OWNER), "moderators",
			Set.of(RoomRole.OWNER, RoomRole.MODERATOR));

	private final RoomAccess access;

	private final MemberRepository members;

	private final Database database;

	MessageMentions(RoomAccess access, MemberRepository members, Database database) {
		this.access = access;
		this.members = members;
		this.database = database;
	}

	/**
	 * Returns the mentions of a message.
	 * @param draft null if the client does not say whom it mentions
	 * @param before whom the message mentioned before, which needs no new permission;
	 * null for nobody
	 * @throws ChatException {@code not-found} for a user who is not a member,
	 * {@code not-allowed} if the sender may not mention the room, {@code bad-message} for
	 * an unknown group or too many users
	 */
	@Nullable Mentions of(String room, String sender, @Nullable MentionsDraft draft, @Nullable Mentions before) {
		if (draft == null) {
			return null;
		}
		requireMembers(room, draft.users(), before);
		if (draft.room() && !(before != null && before.room())
				&& !this.access.allows(RoomAction.MENTION_ROOM, room, sender)) {
			throw ErrorCode.NOT_ALLOWED.because("Only the owner and moderators may mention the whole room; "
					+ "omit 'room' in 'mentions', or name the users.");
		}
		Set<String> users = new LinkedHashSet<>(draft.users());
		draft.groups().forEach((group) -> users.addAll(membersOf(group, room, sender)));
		if (users.size() > MentionsDraft.MAX_USERS) {
			throw MentionsDraft.tooMany();
		}
		return new Mentions(new ArrayList<>(users), draft.groups(), draft.room());
	}

	private void requireMembers(String room, List<String> users, @Nullable Mentions before) {
		Set<String> added = new LinkedHashSet<>(users);
		if (before != null) {
			added.removeAll(new HashSet<>(before.users()));
		}
		if (added.isEmpty()) {
			return;
		}
		Set<String> members = this.access.membersAmong(room, added);
		added.stream().filter((user) -> !members.contains(user)).findFirst().ifPresent((stranger) -> {
			throw ErrorCode.NOT_FOUND.because("'" + stranger + "' is not a member of the room; mention members only.");
		});
	}

	private List<String> membersOf(String group, String room, String sender) {
		Set<RoomRole> roles = GROUPS.get(group);
		if (roles == null) {
			throw ErrorCode.BAD_MESSAGE.because("There is no group '" + group + "'; use owners or moderators.");
		}
		return this.database.query(() -> this.members.usernamesWith(room, roles, Limit.of(MentionsDraft.MAX_USERS + 2)))
			.stream()
			.filter((user) -> !user.equals(sender))
			.toList();
	}

}
