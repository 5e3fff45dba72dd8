package io.parley.server.timeline;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.parley.events.EventRecord;
import io.parley.server.database.Database;
import io.parley.store.event.MessageStateRepository;
import io.parley.store.event.RoomPosition;
import io.parley.store.thread.ThreadKey;
import io.parley.store.thread.ThreadRepository;

import org.springframework.stereotype.Component;

/**
 * Threads, stored or not. The number of queries does not depend on the number of threads,
 * up to 200. Safe for use by many threads.
 */
@Component
public class Threads {

	/**
	 * The most threads with replies that are not stored of which it is queried whether a
	 * user follows them. While there are more, some that the user has chosen to follow
	 * may come too late in the order.
	 */
	private static final int MAX_UNSTORED = 1_000;

	private final Tail tail;

	private final Backlog backlog;

	private final MessageStateRepository states;

	private final ThreadRepository stored;

	private final Database database;

	Threads(Tail tail, Backlog backlog, MessageStateRepository states, ThreadRepository stored, Database database) {
		this.tail = tail;
		this.backlog = backlog;
		this.states = states;
		this.stored = stored;
		this.database = database;
	}

	/**
	 * Returns the roots of the threads with replies that a user follows or may follow,
	 * those with the newest replies first. The user may have left some of the rooms.
	 * @param limit the maximum number of stored threads
	 */
	public List<RoomPosition> of(String user, int limit) {
		List<RoomPosition> newer = unstored(user, (reply) -> true);
		return join(newer, this.database.query(() -> this.stored.followedBy(user, limit)));
	}

	/** Returns those of the threads of {@link #of(String, int)} that are in a room. */
	public List<RoomPosition> of(String room, String user, int limit) {
		List<RoomPosition> newer = unstored(user, (reply) -> reply.room().equals(room));
		return join(newer, this.database.query(() -> this.stored.followedIn(room, user, limit)));
	}

	private static List<RoomPosition> join(List<RoomPosition> newer, List<RoomPosition> stored) {
		Set<RoomPosition> roots = new LinkedHashSet<>(newer);
		roots.addAll(stored);
		return List.copyOf(roots);
	}

	/**
	 * Returns the threads with replies that may not be stored, if the user takes part in
	 * them or has a stored standing, those with the newest replies first.
	 */
	private List<RoomPosition> unstored(String user, Predicate<PositionedEvent> filter) {
		List<PositionedEvent> replies = this.tail.unstored()
			.reversed()
			.stream()
			.filter((event) -> event.record().countsInThread() && filter.test(event))
			.sorted(Comparator.comparing((PositionedEvent reply) -> reply.record().sentAt()).reversed())
			.toList();
		if (replies.isEmpty()) {
			return List.of();
		}
		List<RoomPosition> roots = replies.stream().map(Threads::root).distinct().toList();
		List<ThreadKey> keys = roots.stream().limit(MAX_UNSTORED).map((root) -> new ThreadKey(root, user)).toList();
		Set<RoomPosition> found = this.database.query(() -> this.stored.of(keys))
			.keySet()
			.stream()
			.map(ThreadKey::root)
			.collect(Collectors.toSet());
		replies.stream().filter((reply) -> takesPart(user, reply.record())).map(Threads::root).forEach(found::add);
		return roots.stream().filter(found::contains).toList();
	}

	private static boolean takesPart(String user, EventRecord reply) {
		return user.equals(reply.sender()) || user.equals(reply.threadAuthor())
				|| reply.mentionedUsers().contains(user);
	}

	/** Returns the root of the thread of an event. */
	static RoomPosition root(PositionedEvent event) {
		return new RoomPosition(event.room(), event.record().thread());
	}

	/** Returns the threads of these roots, with one query. */
	public ThreadSnapshot of(Collection<RoomPosition> roots) {
		Set<RoomPosition> wanted = Set.copyOf(roots);
		List<PositionedEvent> newer = newer(wanted);
		Set<RoomPosition> messages = new HashSet<>(wanted);
		newer.stream()
			.filter((event) -> event.record().deletesReply())
			.forEach((event) -> messages.add(new RoomPosition(event.room(), event.record().target())));
		return new ThreadSnapshot(this.stored, this.database, this.database.query(() -> this.states.of(messages)),
				newer);
	}

	/** Returns the replies and their deletions that may not be stored yet. */
	private List<PositionedEvent> newer(Set<RoomPosition> roots) {
		Set<String> rooms = roots.stream().map(RoomPosition::room).collect(Collectors.toSet());
		this.tail.awaitConfirmed(rooms);
		List<PositionedEvent> newer = new ArrayList<>();
		for (String room : rooms) {
			long storedOffset = this.backlog.storedOffset(room);
			long from = roots.stream()
				.filter((root) -> root.room().equals(room))
				.mapToLong(RoomPosition::position)
				.min()
				.orElseThrow();
			this.backlog.after(room, from, this.tail.partition(room).after(room, from), storedOffset)
				.changes()
				.stream()
				.filter((event) -> (event.record().countsInThread() || event.record().deletesReply())
						&& roots.contains(root(event)))
				.forEach(newer::add);
		}
		return newer;
	}

}
