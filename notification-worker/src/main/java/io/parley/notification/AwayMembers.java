package io.parley.notification;

import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

import io.parley.store.presence.NodePresence;
import io.parley.store.room.MemberRepository;

import org.springframework.data.domain.Limit;

/** Decides who is away: a member, not the sender, and connected to no node now. */
class AwayMembers {

	private static final int PAGE = 500;

	private final MemberRepository members;

	private final NodePresence presence;

	private final Clock clock;

	AwayMembers(MemberRepository members, NodePresence presence, Clock clock) {
		this.members = members;
		this.presence = presence;
		this.clock = clock;
	}

	/**
	 * Everybody who is away from a room, whoever sent; empty when the room has more than
	 * one page of members.
	 */
	Optional<List<String>> ofSmall(String room) {
		List<String> page = page(room, "");
		return (page.size() < PAGE) ? Optional.of(away(page)) : Optional.empty();
	}

	/** Names each of them once, by username; holds one page of the room in memory. */
	void forEach(String room, Consumer<String> away) {
		for (List<String> page = page(room, ""); !page.isEmpty(); page = page(room, page.getLast())) {
			away(page).forEach(away);
		}
	}

	private List<String> page(String room, String after) {
		return this.members.usernamesOf(room, after, Limit.of(PAGE));
	}

	private List<String> away(List<String> usernames) {
		Set<String> online = this.presence.onlineAmong(usernames, this.clock.instant());
		return usernames.stream().filter((username) -> !online.contains(username)).toList();
	}

}
