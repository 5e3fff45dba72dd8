package io.parley.notification;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.parley.notification.provider.Excerpt;
import io.parley.store.Chunks;
import io.parley.store.presence.RoomPresence;
import io.parley.store.push.DeviceRepository;
import io.parley.store.push.PushLevel;
import io.parley.store.push.PushSettingRepository;
import io.parley.store.push.PushTask;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.Room;
import io.parley.store.room.RoomRepository;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.domain.Limit;

/**
 * Plans which users to notify of messages: all members except the sender, and except
 * those who followed the room live on a node that was known to be alive after the message
 * was sent. In large rooms these are only the members who are mentioned or want all
 * messages of the room. No push is planned for a message that has expired. Everything
 * else is decided when the task is due.
 */
class TaskPlanner {

	/** The time within which a live node confirms again that it is alive. */
	static final Duration RECHECK = Duration.ofSeconds(2);

	private static final int PAGE = 500;

	private static final int MAX_CHARACTERS = 500;

	private static final Logger logger = LoggerFactory.getLogger(TaskPlanner.class);

	private final RoomRepository rooms;

	private final MemberRepository members;

	private final RoomPresence presence;

	private final PushSettingRepository settings;

	private final DeviceRepository devices;

	private final PushProperties properties;

	private final PushThrottle throttle;

	private final Clock clock;

	TaskPlanner(RoomRepository rooms, MemberRepository members, RoomPresence presence, PushSettingRepository settings,
			DeviceRepository devices, PushProperties properties, Clock clock) {
		this.rooms = rooms;
		this.members = members;
		this.presence = presence;
		this.settings = settings;
		this.devices = devices;
		this.properties = properties;
		this.throttle = new PushThrottle(properties.interval());
		this.clock = clock;
	}

	/** Returns at most one task for each user and room. */
	List<PushTask> plan(List<PositionedMessage> messages) {
		Instant expired = this.clock.instant().minus(this.properties.expiry());
		Map<String, List<PositionedMessage>> byRoom = messages.stream()
			.filter((positioned) -> positioned.sentAt().isAfter(expired))
			.collect(Collectors.groupingBy((positioned) -> positioned.message().room()));
		long tooOld = messages.size() - byRoom.values().stream().mapToInt(List::size).sum();
		if (tooOld > 0) {
			logger.info("No pushes for {} messages: when they were read, they were older than chat.push.expiry",
					tooOld);
		}
		Set<String> large = this.rooms.findAllById(byRoom.keySet())
			.stream()
			.filter((room) -> room.getMemberCount() >= this.properties.largeRoom())
			.map(Room::getId)
			.collect(Collectors.toSet());
		List<PushTask> tasks = new ArrayList<>();
		byRoom.forEach((room, posted) -> {
			List<Draft> drafts = posted.stream().map(this::draft).toList();
			tasks.addAll(large.contains(room) ? planLargeRoom(room, drafts) : planRoom(room, drafts));
		});
		return tasks;
	}

	/** Holds only one page of the room and the tasks in memory. */
	private List<PushTask> planRoom(String room, List<Draft> drafts) {
		List<PushTask> tasks = new ArrayList<>();
		String last = "";
		List<String> page;
		do {
			page = this.members.usernamesOf(room, last, Limit.of(PAGE));
			if (!page.isEmpty()) {
				Instant now = this.clock.instant();
				tasks
					.addAll(plan(
							new Page(room, page,
									this.presence.followersBetween(room, page.getFirst(), page.getLast(), now), now),
							(username) -> drafts));
				last = page.getLast();
			}
		}
		while (page.size() == PAGE);
		return tasks;
	}

	/** Queries only the members who may be notified: the others are most of the room. */
	private List<PushTask> planLargeRoom(String room, List<Draft> drafts) {
		Set<String> wantingAll = new HashSet<>(this.settings.usersWith(room, PushLevel.ALL));
		Set<String> candidates = new HashSet<>(wantingAll);
		drafts.forEach((draft) -> candidates.addAll(draft.mentioned()));
		List<PushTask> tasks = new ArrayList<>();
		for (List<String> chunk : Chunks.of(candidates)) {
			Instant now = this.clock.instant();
			List<String> usernames = this.members.membersAmong(room, chunk);
			Page page = new Page(room, usernames, this.presence.followersAmong(room, usernames, now), now);
			tasks.addAll(plan(page, (username) -> wantingAll.contains(username) ? drafts
					: drafts.stream().filter((draft) -> draft.mentioned().contains(username)).toList()));
		}
		return tasks;
	}

	/** Some members of a room, and those of them who follow it live. */
	private record Page(String room, List<String> usernames, Map<String, Instant> followers, Instant now) {
	}

	private List<PushTask> plan(Page page, Function<String, List<Draft>> wanted) {
		Map<String, List<Draft>> missed = new LinkedHashMap<>();
		for (String username : page.usernames()) {
			Instant liveUntil = page.followers().get(username);
			List<Draft> own = wanted.apply(username)
				.stream()
				.filter((draft) -> !draft.reached(username, liveUntil))
				.toList();
			if (!own.isEmpty()) {
				missed.put(username, own);
			}
		}
		if (this.properties.needsDevice()) {
			missed.keySet().retainAll(this.devices.ownersAmong(List.copyOf(missed.keySet())));
		}
		List<PushTask> tasks = new ArrayList<>();
		missed.forEach((username, own) -> {
			Instant due = due(username, page, own.stream().anyMatch((draft) -> draft.mentioned().contains(username)));
			tasks.add(own.stream().map((draft) -> draft.task(username, due)).reduce(PushTask::and).orElseThrow());
		});
		return tasks;
	}

	private Instant due(String username, Page page, boolean mentioned) {
		Instant earliest = page.followers().containsKey(username) ? page.now().plus(RECHECK) : page.now();
		return mentioned ? this.throttle.dueImmediately(username, page.room(), earliest)
				: this.throttle.due(username, page.room(), earliest);
	}

	private Draft draft(PositionedMessage positioned) {
		String text = positioned.message().text();
		return new Draft(positioned, start(text), Mentions.in(text),
				positioned.sentAt().plus(this.properties.expiry()));
	}

	/** The data that the tasks of all users share. */
	private record Draft(PositionedMessage positioned, String text, Set<String> mentioned, Instant expiresAt) {

		boolean reached(String username, @Nullable Instant liveUntil) {
			return username.equals(this.positioned.message().sender())
					|| liveUntil != null && !liveUntil.isBefore(this.positioned.sentAt());
		}

		PushTask task(String username, Instant due) {
			return PushTask.of(username, this.positioned.message().room(), this.positioned.position(),
					this.mentioned.contains(username), this.positioned.message().sender(), this.text,
					this.positioned.sentAt(), due, this.expiresAt);
		}

	}

	/** Returns the part of a text that is shown. */
	static String start(String text) {
		return Excerpt.of(text, MAX_CHARACTERS);
	}

}
