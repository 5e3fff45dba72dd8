package io.parley.notification;

import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import io.parley.events.MessagePosted;
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

	/** Names each of them once, by username; holds one page of the room in memory. */
	void forEach(MessagePosted message, Consumer<String> away) {
		List<String> page = this.members.usernamesOf(message.room(), "", Limit.of(PAGE));
		while (!page.isEmpty()) {
			Set<String> online = this.presence.onlineAmong(page, this.clock.instant());
			page.stream()
				.filter((username) -> !username.equals(message.sender()) && !online.contains(username))
				.forEach(away);
			page = this.members.usernamesOf(message.room(), page.getLast(), Limit.of(PAGE));
		}
	}

}
