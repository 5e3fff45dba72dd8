package io.parley.notification;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.parley.events.MessagePosted;
import io.parley.notification.provider.Excerpt;
import io.parley.store.presence.RoomPresence;
import io.parley.store.push.Devices;
import io.parley.store.push.PushTask;
import io.parley.store.room.MemberRepository;
import org.jspecify.annotations.Nullable;

import org.springframework.data.domain.Limit;

/**
 * Who has to be told of messages: the members, without the sender, and without those who
 * followed the room live when their node was last known to be alive, after the message
 * was sent. All else is decided when the task is due.
 */
class TaskPlanner {

	/** By then a node that is alive has said so again. */
	static final Duration RECHECK = Duration.ofSeconds(2);

	private static final int PAGE = 500;

	private static final int MAX_CHARACTERS = 500;

	private final MemberRepository members;

	private final RoomPresence presence;

	private final Devices devices;

	private final PushProperties properties;

	private final Spacing spacing;

	private final Clock clock;

	TaskPlanner(MemberRepository members, RoomPresence presence, Devices devices, PushProperties properties,
			Clock clock) {
		this.members = members;
		this.presence = presence;
		this.devices = devices;
		this.properties = properties;
		this.spacing = new Spacing(properties.interval());
		this.clock = clock;
	}

	/** One task at the most for each user and room, in the order of their keys. */
	List<PushTask> plan(List<PlacedMessage> messages) {
		List<PushTask> tasks = new ArrayList<>();
		messages.stream()
			.collect(Collectors.groupingBy((placed) -> placed.message().room()))
			.forEach((room, posted) -> tasks.addAll(planRoom(room, posted)));
		tasks.sort(Comparator.comparing(PushTask::username).thenComparing(PushTask::room));
		return tasks;
	}

	/** Holds one page of the room in memory, and the tasks. */
	private List<PushTask> planRoom(String room, List<PlacedMessage> messages) {
		List<Draft> drafts = messages.stream().map(Draft::of).toList();
		List<PushTask> tasks = new ArrayList<>();
		String last = "";
		List<String> page;
		do {
			page = this.members.usernamesOf(room, last, Limit.of(PAGE));
			if (!page.isEmpty()) {
				tasks.addAll(planPage(room, page, drafts));
				last = page.getLast();
			}
		}
		while (page.size() == PAGE);
		return tasks;
	}

	private List<PushTask> planPage(String room, List<String> usernames, List<Draft> drafts) {
		Instant now = this.clock.instant();
		Map<String, Instant> followers = this.presence.followersBetween(room, usernames.getFirst(), usernames.getLast(),
				now);
		Map<String, List<Draft>> missed = new LinkedHashMap<>();
		for (String username : usernames) {
			Instant seen = followers.get(username);
			List<Draft> own = drafts.stream().filter((draft) -> !draft.reached(username, seen)).toList();
			if (!own.isEmpty()) {
				missed.put(username, own);
			}
		}
		if (this.properties.needsDevice()) {
			missed.keySet().retainAll(this.devices.ownersAmong(List.copyOf(missed.keySet())));
		}
		List<PushTask> tasks = new ArrayList<>();
		missed.forEach((username, own) -> {
			Instant earliest = followers.containsKey(username) ? now.plus(RECHECK) : now;
			boolean mentioned = own.stream().anyMatch((draft) -> draft.mentioned().contains(username));
			tasks.add(task(username, own, mentioned ? this.spacing.atOnce(username, room, earliest)
					: this.spacing.due(username, room, earliest)));
		});
		return tasks;
	}

	private PushTask task(String username, List<Draft> missed, Instant due) {
		Instant expiresAt = due.plus(this.properties.expiry());
		return missed.stream().map((draft) -> draft.task(username, due, expiresAt)).reduce(PushTask::and).orElseThrow();
	}

	/** What is the same in the tasks of all users. */
	private record Draft(MessagePosted message, long position, String text, Set<String> mentioned) {

		static Draft of(PlacedMessage placed) {
			String text = placed.message().text();
			return new Draft(placed.message(), placed.position(), start(text), Mentions.in(text));
		}

		boolean reached(String username, @Nullable Instant seen) {
			return username.equals(this.message.sender()) || seen != null && !seen.isBefore(this.message.sentAt());
		}

		PushTask task(String username, Instant due, Instant expiresAt) {
			return PushTask.of(username, this.message.room(), this.position, this.mentioned.contains(username),
					this.message.sender(), this.text, due, expiresAt);
		}

	}

	/** As much of a text as is shown. */
	static String start(String text) {
		return Excerpt.of(text, MAX_CHARACTERS);
	}

}
