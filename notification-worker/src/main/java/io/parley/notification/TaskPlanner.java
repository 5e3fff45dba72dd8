package io.parley.notification;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.parley.events.Positions;
import io.parley.notification.provider.Excerpt;
import io.parley.store.Chunks;
import io.parley.store.event.RoomPosition;
import io.parley.store.presence.RoomPresence;
import io.parley.store.push.DeviceRepository;
import io.parley.store.push.PushKey;
import io.parley.store.push.PushLevel;
import io.parley.store.push.PushSettingRepository;
import io.parley.store.push.PushTask;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.RoomMembers;
import io.parley.store.thread.ThreadRepository;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.domain.Limit;

/**
 * Plans which users to notify of messages: all members except the sender, and except
 * those who followed the room live on a node that was known to be alive after the message
 * was sent. In large rooms these are only the members who are mentioned or want all
 * messages of the room; of replies in threads, those who follow the thread or are
 * mentioned. Of an edit only those are notified whom it mentions first. No push is
 * planned for a message that has expired. Everything else is decided when the task is
 * due. Queries the store once for many small rooms.
 */
class TaskPlanner {

	/** The time within which a live node confirms again that it is alive. */
	static final Duration RECHECK = Duration.ofSeconds(2);

	private static final int PAGE = 500;

	/** Of the rooms that are planned at once. */
	private static final int MAX_ROOMS = 200;

	/** Of those rooms together. */
	private static final int MAX_MEMBERS = 2_000;

	private static final int MAX_CHARACTERS = 500;

	private static final Logger logger = LoggerFactory.getLogger(TaskPlanner.class);

	private final RoomMembers roomMembers;

	private final MemberRepository members;

	private final RoomPresence presence;

	private final PushSettingRepository settings;

	private final DeviceRepository devices;

	private final ThreadFollowers threads;

	private final PushProperties properties;

	private final PushThrottle throttle;

	private final Clock clock;

	TaskPlanner(RoomMembers roomMembers, MemberRepository members, RoomPresence presence,
			PushSettingRepository settings, DeviceRepository devices, ThreadRepository threads,
			PushProperties properties, Clock clock) {
		this.roomMembers = roomMembers;
		this.members = members;
		this.presence = presence;
		this.settings = settings;
		this.devices = devices;
		this.threads = new ThreadFollowers(threads);
		this.properties = properties;
		this.throttle = new PushThrottle(properties.interval());
		this.clock = clock;
	}

	/** Returns at most one task for each user, room and thread. */
	List<PushTask> plan(List<PositionedMessage> messages) {
		Instant expired = this.clock.instant().minus(this.properties.expiry());
		List<PositionedMessage> current = messages.stream()
			.filter((positioned) -> positioned.sentAt().isAfter(expired))
			.toList();
		Map<String, List<PositionedMessage>> byRoom = current.stream()
			.filter((positioned) -> positioned.thread() == Positions.NONE)
			.collect(Collectors.groupingBy(PositionedMessage::room));
		int tooOld = messages.size() - current.size();
		if (tooOld > 0) {
			logger.info("No pushes for {} messages: when they were read, they were older than chat.push.expiry",
					tooOld);
		}
		List<PushTask> tasks = new ArrayList<>(planThreads(current.stream()
			.filter((positioned) -> positioned.thread() != Positions.NONE)
			.collect(Collectors.groupingBy((positioned) -> new RoomPosition(positioned.room(), positioned.thread())))));
		List<Posted> small = new ArrayList<>();
		this.roomMembers.counts(byRoom.keySet()).forEach((room, members) -> {
			List<Draft> drafts = byRoom.getOrDefault(room, List.of()).stream().map(this::draft).toList();
			if (members >= this.properties.largeRoom()) {
				tasks.addAll(planLargeRoom(room, drafts));
			}
			else if (members > PAGE) {
				tasks.addAll(planRoom(room, (username) -> drafts));
			}
			else {
				small.add(new Posted(room, members, drafts));
			}
		});
		groups(small).forEach((group) -> tasks.addAll(planSmallRooms(group)));
		return tasks;
	}

	/** A room, the number of its members, and its messages. */
	private record Posted(String room, int members, List<Draft> drafts) {
	}

	/**
	 * Groups rooms that are planned at once: 200 direct rooms, or fewer rooms with more
	 * members.
	 */
	private static List<List<Posted>> groups(List<Posted> rooms) {
		List<List<Posted>> groups = new ArrayList<>();
		int members = 0;
		for (Posted posted : rooms) {
			members += posted.members();
			if (groups.isEmpty() || members > MAX_MEMBERS || groups.getLast().size() == MAX_ROOMS) {
				groups.add(new ArrayList<>());
				members = posted.members();
			}
			groups.getLast().add(posted);
		}
		return groups;
	}

	private List<PushTask> planSmallRooms(List<Posted> group) {
		List<String> rooms = group.stream().map(Posted::room).toList();
		Map<String, List<String>> usernames = this.roomMembers.usernames(rooms);
		Instant now = this.clock.instant();
		Map<String, Map<String, Instant>> followers = new HashMap<>();
		this.presence.followersOf(rooms, now)
			.forEach((follower, liveUntil) -> followers.computeIfAbsent(follower.room(), (room) -> new HashMap<>())
				.put(follower.username(), liveUntil));
		List<Missed> missed = new ArrayList<>();
		for (Posted posted : group) {
			String room = posted.room();
			Page page = new Page(room, usernames.getOrDefault(room, List.of()), followers.getOrDefault(room, Map.of()),
					now);
			missed.addAll(missed(page, (username) -> posted.drafts()));
		}
		return tasks(missed);
	}

	/** Holds only one page of the room and the tasks in memory. */
	private List<PushTask> planRoom(String room, Function<String, List<Draft>> wanted) {
		List<PushTask> tasks = new ArrayList<>();
		String last = "";
		List<String> usernames;
		do {
			usernames = this.members.usernamesOf(room, last, Limit.of(PAGE));
			if (!usernames.isEmpty()) {
				Instant now = this.clock.instant();
				Page page = new Page(room, usernames,
						this.presence.followersBetween(room, usernames.getFirst(), usernames.getLast(), now), now);
				tasks.addAll(tasks(missed(page, wanted)));
				last = usernames.getLast();
			}
		}
		while (usernames.size() == PAGE);
		return tasks;
	}

	/** Queries only the members who may be notified: the others are most of the room. */
	private List<PushTask> planLargeRoom(String room, List<Draft> drafts) {
		Set<String> wantingAll = new HashSet<>(this.settings.usersWith(room, PushLevel.ALL));
		return planWanted(room, wantingAll, drafts);
	}

	/**
	 * Plans for the members who want all messages, and for those who are mentioned, of
	 * the messages that mention them. These are all members if the room is mentioned.
	 */
	private List<PushTask> planWanted(String room, Set<String> wantingAll, List<Draft> drafts) {
		Function<String, List<Draft>> wanted = (username) -> wantingAll.contains(username) ? drafts
				: drafts.stream().filter((draft) -> draft.mentions(username)).toList();
		if (drafts.stream().anyMatch((draft) -> draft.mentioned().room())) {
			return planRoom(room, wanted);
		}
		Set<String> candidates = new HashSet<>(wantingAll);
		drafts.forEach((draft) -> candidates.addAll(draft.mentioned().names()));
		List<PushTask> tasks = new ArrayList<>();
		for (List<String> chunk : Chunks.of(candidates)) {
			Instant now = this.clock.instant();
			List<String> usernames = this.members.membersAmong(room, chunk);
			Page page = new Page(room, usernames, this.presence.followersAmong(room, usernames, now), now);
			tasks.addAll(tasks(missed(page, wanted)));
		}
		return tasks;
	}

	private List<PushTask> planThreads(Map<RoomPosition, List<PositionedMessage>> threads) {
		if (threads.isEmpty()) {
			return List.of();
		}
		Map<RoomPosition, Set<String>> followers = this.threads.of(threads);
		List<PushTask> tasks = new ArrayList<>();
		threads.forEach((root, replies) -> {
			List<Draft> drafts = replies.stream().map(this::draft).toList();
			tasks.addAll(planWanted(root.room(), followers.getOrDefault(root, Set.of()), drafts));
		});
		return tasks;
	}

	/** Some members of a room, and those of them who follow it live. */
	private record Page(String room, List<String> usernames, Map<String, Instant> followers, Instant now) {
	}

	/** A member of a room, and the messages that did not reach the member live. */
	private record Missed(Page page, String username, List<Draft> drafts) {
	}

	private static List<Missed> missed(Page page, Function<String, List<Draft>> wanted) {
		List<Missed> missed = new ArrayList<>();
		for (String username : page.usernames()) {
			Instant liveUntil = page.followers().get(username);
			List<Draft> own = wanted.apply(username)
				.stream()
				.filter((draft) -> draft.concerns(username) && !draft.reached(username, liveUntil))
				.toList();
			if (!own.isEmpty()) {
				missed.add(new Missed(page, username, own));
			}
		}
		return missed;
	}

	private List<PushTask> tasks(List<Missed> missed) {
		if (!this.properties.needsDevice()) {
			return missed.stream().map(this::task).toList();
		}
		Set<String> owners = this.devices
			.ownersAmong(missed.stream().map(Missed::username).collect(Collectors.toSet()));
		return missed.stream().filter((member) -> owners.contains(member.username())).map(this::task).toList();
	}

	private PushTask task(Missed missed) {
		String username = missed.username();
		boolean mentioned = missed.drafts().stream().anyMatch((draft) -> draft.mentions(username));
		Instant due = due(username, missed.page(), mentioned);
		return missed.drafts().stream().map((draft) -> draft.task(username, due)).reduce(PushTask::and).orElseThrow();
	}

	private Instant due(String username, Page page, boolean mentioned) {
		Instant earliest = page.followers().containsKey(username) ? page.now().plus(RECHECK) : page.now();
		return mentioned ? this.throttle.dueImmediately(username, page.room(), earliest)
				: this.throttle.due(username, page.room(), earliest);
	}

	private Draft draft(PositionedMessage positioned) {
		return new Draft(positioned, start(positioned.text()), positioned.sentAt().plus(this.properties.expiry()));
	}

	/** The data that the tasks of all users share. */
	private record Draft(PositionedMessage positioned, String text, Instant expiresAt) {

		Mentioned mentioned() {
			return this.positioned.mentioned();
		}

		boolean mentions(String username) {
			return mentioned().includes(username);
		}

		/** Returns whether a member who wants all messages is notified. */
		boolean concerns(String username) {
			return !this.positioned.isEdit() || mentions(username);
		}

		boolean reached(String username, @Nullable Instant liveUntil) {
			return username.equals(this.positioned.sender())
					|| liveUntil != null && !liveUntil.isBefore(this.positioned.sentAt());
		}

		PushTask task(String username, Instant due) {
			PositionedMessage message = this.positioned;
			return PushTask.of(new PushKey(username, message.room(), message.thread()), message.position(),
					mentions(username) ? message.mention() : Positions.NONE, message.sender(), this.text,
					message.sentAt(), due, this.expiresAt);
		}

	}

	/** Returns the part of a text that is shown. */
	static String start(String text) {
		return Excerpt.of(text, MAX_CHARACTERS);
	}

}
