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
 * Who has to be told of messages: the members, without the sender, and without those who
 * followed the room live when their node was last known to be alive, after the message
 * was sent. In large rooms only those who are mentioned or want all messages of the room.
 * Nobody is told of a message that has expired. All else is decided when the task is due.
 */
class TaskPlanner {

	/** By then a node that is alive has said so again. */
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

	private final PushThrottle spacing;

	private final Clock clock;

	TaskPlanner(RoomRepository rooms, MemberRepository members, RoomPresence presence, PushSettingRepository settings,
			DeviceRepository devices, PushProperties properties, Clock clock) {
		this.rooms = rooms;
		this.members = members;
		this.presence = presence;
		this.settings = settings;
		this.devices = devices;
		this.properties = properties;
		this.spacing = new PushThrottle(properties.interval());
		this.clock = clock;
	}

	/** One task at the most for each user and room. */
	List<PushTask> plan(List<PositionedMessage> messages) {
		Instant expired = this.clock.instant().minus(this.properties.expiry());
		Map<String, List<PositionedMessage>> byRoom = messages.stream()
			.filter((placed) -> placed.sentAt().isAfter(expired))
			.collect(Collectors.groupingBy((placed) -> placed.message().room()));
		long tooOld = messages.size() - byRoom.values().stream().mapToInt(List::size).sum();
		if (tooOld > 0) {
			logger.info("Nobody is told of {} messages: when they were read, they were older than chat.push.expiry",
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

	/** Holds one page of the room in memory, and the tasks. */
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

	/** Asks for those only who may be told: the others are most of the room. */
	private List<PushTask> planLargeRoom(String room, List<Draft> drafts) {
		Set<String> wanting = new HashSet<>(this.settings.usersWith(room, PushLevel.ALL));
		Set<String> told = new HashSet<>(wanting);
		drafts.forEach((draft) -> told.addAll(draft.mentioned()));
		List<PushTask> tasks = new ArrayList<>();
		for (List<String> chunk : Chunks.of(told)) {
			Instant now = this.clock.instant();
			List<String> usernames = this.members.membersAmong(room, chunk);
			Page page = new Page(room, usernames, this.presence.followersAmong(room, usernames, now), now);
			tasks.addAll(plan(page, (username) -> wanting.contains(username) ? drafts
					: drafts.stream().filter((draft) -> draft.mentioned().contains(username)).toList()));
		}
		return tasks;
	}

	/** Some members of a room, and those of them who follow it. */
	private record Page(String room, List<String> usernames, Map<String, Instant> followers, Instant now) {
	}

	private List<PushTask> plan(Page page, Function<String, List<Draft>> wanted) {
		Map<String, List<Draft>> missed = new LinkedHashMap<>();
		for (String username : page.usernames()) {
			Instant seen = page.followers().get(username);
			List<Draft> own = wanted.apply(username)
				.stream()
				.filter((draft) -> !draft.reached(username, seen))
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
		return mentioned ? this.spacing.atOnce(username, page.room(), earliest)
				: this.spacing.due(username, page.room(), earliest);
	}

	private Draft draft(PositionedMessage placed) {
		String text = placed.message().text();
		return new Draft(placed, start(text), Mentions.in(text), placed.sentAt().plus(this.properties.expiry()));
	}

	/** What is the same in the tasks of all users. */
	private record Draft(PositionedMessage placed, String text, Set<String> mentioned, Instant expiresAt) {

		boolean reached(String username, @Nullable Instant seen) {
			return username.equals(this.placed.message().sender())
					|| seen != null && !seen.isBefore(this.placed.sentAt());
		}

		PushTask task(String username, Instant due) {
			return PushTask.of(username, this.placed.message().room(), this.placed.position(),
					this.mentioned.contains(username), this.placed.message().sender(), this.text, this.placed.sentAt(),
					due, this.expiresAt);
		}

	}

	/** As much of a text as is shown. */
	static String start(String text) {
		return Excerpt.of(text, MAX_CHARACTERS);
	}

}
