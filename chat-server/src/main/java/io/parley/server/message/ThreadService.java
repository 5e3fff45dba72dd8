package io.parley.server.message;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

import io.parley.events.ThreadState;
import io.parley.server.database.Database;
import io.parley.server.delivery.UserEvents;
import io.parley.server.delivery.UserEvents.ThreadChanged;
import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.server.room.RoomAccess;
import io.parley.server.room.RoomAction;
import io.parley.server.timeline.History;
import io.parley.server.timeline.RoomHeadReader;
import io.parley.server.timeline.ThreadSnapshot;
import io.parley.server.timeline.Threads;
import io.parley.store.event.RoomPosition;
import io.parley.store.room.Readers;
import io.parley.store.thread.ThreadKey;
import io.parley.store.thread.ThreadMembers;
import io.parley.store.thread.ThreadStanding;

import org.springframework.stereotype.Component;

/**
 * Lets users follow and read threads, and notifies their devices. Safe for use by many
 * threads.
 */
@Component
class ThreadService {

	/** The most stored threads that are read at once. */
	private static final int MAX_READ = 1_000;

	private final RoomAccess access;

	private final ThreadReplies replies;

	private final Threads threads;

	private final ThreadMembers members;

	private final History history;

	private final RoomHeadReader heads;

	private final Database database;

	private final UserEvents userEvents;

	ThreadService(RoomAccess access, ThreadReplies replies, Threads threads, ThreadMembers members, History history,
			RoomHeadReader heads, Database database, UserEvents userEvents) {
		this.access = access;
		this.replies = replies;
		this.threads = threads;
		this.members = members;
		this.history = history;
		this.heads = heads;
		this.database = database;
		this.userEvents = userEvents;
	}

	/** A thread that a user follows. */
	record Followed(String room, long root, long replies, long lastPosition, List<String> users, long unread,
			long read) {
	}

	/**
	 * Returns the threads with replies that a user follows, those with the newest replies
	 * first.
	 */
	List<Followed> followedBy(String user, int limit) {
		List<RoomPosition> roots = this.threads.of(user, limit)
			.stream()
			.filter((root) -> this.access.isMember(root.room(), user))
			.toList();
		if (roots.isEmpty()) {
			return List.of();
		}
		ThreadSnapshot snapshot = this.threads.of(roots);
		Map<ThreadKey, ThreadStanding> standings = snapshot
			.standings(roots.stream().map((root) -> new ThreadKey(root, user)).toList());
		Map<ThreadKey, Long> unread = snapshot.unread(standings);
		return roots.stream()
			.map((root) -> new ThreadKey(root, user))
			.filter((key) -> standings.getOrDefault(key, ThreadStanding.NONE).follows())
			.filter((key) -> snapshot.thread(key.root()).number() > 0)
			.limit(limit)
			.map((key) -> {
				ThreadState thread = snapshot.thread(key.root());
				return new Followed(key.root().room(), key.root().position(), thread.replies(), thread.last(),
						thread.users(), unread.getOrDefault(key, 0L),
						standings.getOrDefault(key, ThreadStanding.NONE).readTo());
			})
			.toList();
	}

	/** Returns what a member of the room is in a thread. */
	ThreadChanged standing(RoomPosition root, String user) {
		ThreadKey key = new ThreadKey(root, user);
		ThreadSnapshot snapshot = this.threads.of(List.of(root));
		return Objects.requireNonNull(events(snapshot, snapshot.standings(List.of(key))).get(key));
	}

	/**
	 * Marks a thread as read up to a position. A marker never moves backwards.
	 * @throws ChatException if the user is not a member, or there is no such thread or
	 * position
	 */
	void read(RoomPosition root, String user, long position) {
		this.access.require(RoomAction.READ, root.room(), user);
		this.replies.requireRoot(root.room(), root.position());
		if (position < 0 || !this.history.isKnown(root.room(), position)) {
			throw ErrorCode.BAD_POSITION.because("Room " + root.room() + " has no position " + position + ".");
		}
		ThreadKey key = new ThreadKey(root, user);
		ThreadStanding before = this.threads.of(List.of(root)).standings(List.of(key)).get(key);
		if (before == null || position > before.readTo()) {
			this.database.query(() -> {
				this.members.read(List.of(key), position);
				return true;
			});
			this.userEvents.send(user, standing(root, user));
		}
	}

	/**
	 * Returns the members of the room who have read a thread up to a position, by name.
	 * @param limit the maximum number of names
	 */
	Readers readers(RoomPosition root, long position, int limit) {
		List<RoomPosition> roots = List.of(root);
		List<String> all = this.threads.of(roots)
			.standingsIn(roots, (key) -> this.access.isMember(key.root().room(), key.username()))
			.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().readTo() >= position)
			.map((entry) -> entry.getKey().username())
			.sorted()
			.toList();
		return new Readers(all.stream().limit(limit).toList(), all.size());
	}

	/**
	 * Marks the threads that a member of the room follows in it as read up to a position
	 * that the room has.
	 */
	void readAll(String room, String user, long position) {
		List<ThreadKey> keys = this.threads.of(room, user, MAX_READ)
			.stream()
			.map((root) -> new ThreadKey(root, user))
			.toList();
		if (keys.isEmpty()) {
			return;
		}
		Map<ThreadKey, ThreadStanding> unread = new HashMap<>(
				this.threads.of(keys.stream().map(ThreadKey::root).toList()).standings(keys));
		unread.values().removeIf((standing) -> !standing.follows() || standing.readTo() >= position);
		if (unread.isEmpty()) {
			return;
		}
		this.database.query(() -> {
			this.members.read(unread.keySet(), position);
			return true;
		});
		ThreadSnapshot snapshot = this.threads.of(unread.keySet().stream().map(ThreadKey::root).toList());
		events(snapshot, snapshot.standings(unread.keySet())).values()
			.forEach((event) -> this.userEvents.send(user, event));
	}

	/**
	 * Makes a user follow a thread, or not follow it. Who begins to follow has read the
	 * replies until then.
	 * @throws ChatException if the user is not a member, or there is no such thread
	 */
	void follow(RoomPosition root, String user, boolean follows) {
		this.access.require(RoomAction.READ, root.room(), user);
		this.replies.requireRoot(root.room(), root.position());
		ThreadKey key = new ThreadKey(root, user);
		ThreadStanding before = this.threads.of(List.of(root)).standings(List.of(key)).get(key);
		if (before == null || before.follows() != follows) {
			long head = this.heads.position(root.room());
			this.database.query(() -> {
				this.members.follow(key, follows, head);
				return true;
			});
			this.userEvents.send(user, standing(root, user));
		}
	}

	/**
	 * Tells the devices on this server of those who follow the threads what is unread.
	 */
	void notifyFollowersHere(Collection<RoomPosition> roots, Predicate<String> isHere) {
		ThreadSnapshot snapshot = this.threads.of(roots);
		Map<ThreadKey, ThreadStanding> followers = new HashMap<>(snapshot.standingsIn(roots,
				(key) -> isHere.test(key.username()) && this.access.isMember(key.root().room(), key.username())));
		followers.entrySet()
			.removeIf((entry) -> !entry.getValue().follows() || !isHere.test(entry.getKey().username()));
		events(snapshot, followers).forEach((key, event) -> this.userEvents.sendHere(key.username(), event));
	}

	private static Map<ThreadKey, ThreadChanged> events(ThreadSnapshot snapshot,
			Map<ThreadKey, ThreadStanding> standings) {
		Map<ThreadKey, Long> unread = snapshot.unread(standings);
		Map<ThreadKey, ThreadChanged> events = new HashMap<>();
		standings.forEach((key, standing) -> events.put(key,
				new ThreadChanged(key.root().room(), key.root().position(), standing.follows(),
						unread.getOrDefault(key, 0L), snapshot.thread(key.root()).last(), standing.readTo())));
		return events;
	}

}
