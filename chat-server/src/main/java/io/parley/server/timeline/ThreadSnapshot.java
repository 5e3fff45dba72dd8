package io.parley.server.timeline;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.parley.events.MessageState;
import io.parley.events.ThreadState;
import io.parley.server.database.Database;
import io.parley.store.event.RoomPosition;
import io.parley.store.thread.ThreadKey;
import io.parley.store.thread.ThreadRepository;
import io.parley.store.thread.ThreadRepository.Place;
import io.parley.store.thread.ThreadStanding;

/**
 * Some threads at one moment: their replies, who follows them, and what is unread. The
 * number of queries does not depend on the number of threads, up to 200. Safe for use by
 * many threads.
 */
public final class ThreadSnapshot {

	private final ThreadRepository stored;

	private final Database database;

	/** The stored states of the roots, and of replies that newer events delete. */
	private final Map<RoomPosition, MessageState> storedStates;

	/** Replies and deletions of replies that the states do not contain. */
	private final Map<RoomPosition, List<PositionedEvent>> newer = new HashMap<>();

	/** All replies that may not be stored. */
	private final List<PositionedEvent> replies;

	/**
	 * Creates a snapshot.
	 * @param storedStates the stored states of the roots, and of replies that the events
	 * delete; read after the events
	 * @param events the replies and their deletions that may not be stored
	 */
	ThreadSnapshot(ThreadRepository stored, Database database, Map<RoomPosition, MessageState> storedStates,
			List<PositionedEvent> events) {
		this.stored = stored;
		this.database = database;
		this.storedStates = storedStates;
		this.replies = events.stream().filter((event) -> event.record().countsInThread()).toList();
		Set<RoomPosition> deleted = new HashSet<>();
		for (PositionedEvent event : events) {
			RoomPosition target = new RoomPosition(event.room(), event.record().target());
			if (event.position() > stored(Threads.root(event)).changed()
					&& (event.record().countsInThread() || (!stored(target).deleted() && deleted.add(target)))) {
				this.newer.computeIfAbsent(Threads.root(event), (root) -> new ArrayList<>()).add(event);
			}
		}
	}

	private MessageState stored(RoomPosition message) {
		MessageState state = this.storedStates.get(message);
		return (state != null) ? state : MessageState.of(message.position());
	}

	private List<PositionedEvent> newer(RoomPosition root) {
		return this.newer.getOrDefault(root, List.of());
	}

	/** Returns the thread of a root. */
	public ThreadState thread(RoomPosition root) {
		MessageState state = stored(root);
		for (PositionedEvent event : newer(root)) {
			state = event.record().countsInThread() ? state.afterReply(event.position(), event.record())
					: state.afterDeletedReply(event.position());
		}
		return state.thread();
	}

	/** Returns what these users are in the threads, with one query. */
	public Map<ThreadKey, ThreadStanding> standings(Collection<ThreadKey> users) {
		Map<ThreadKey, ThreadStanding> standings = new HashMap<>();
		users.forEach((key) -> standings.put(key, ThreadStanding.NONE));
		standings.putAll(this.database.query(() -> this.stored.of(users)));
		this.replies.forEach((reply) -> addTo(standings, reply, standings::containsKey));
		return standings;
	}

	/**
	 * Returns all members who have a standing in the threads, with one query.
	 * @param isMember whether a user whose standing is not stored is a member of the room
	 */
	public Map<ThreadKey, ThreadStanding> standingsIn(Collection<RoomPosition> roots, Predicate<ThreadKey> isMember) {
		Map<ThreadKey, ThreadStanding> standings = new HashMap<>();
		this.database.query(() -> this.stored.standingsIn(roots))
			.forEach((root, users) -> users
				.forEach((user, standing) -> standings.put(new ThreadKey(root, user), standing)));
		this.replies
			.forEach((reply) -> addTo(standings, reply, (key) -> standings.containsKey(key) || isMember.test(key)));
		return standings;
	}

	private static void addTo(Map<ThreadKey, ThreadStanding> standings, PositionedEvent reply,
			Predicate<ThreadKey> filter) {
		RoomPosition root = Threads.root(reply);
		Map<ThreadKey, Long> participants = new HashMap<>();
		String author = reply.record().threadAuthor();
		if (author != null) {
			participants.put(new ThreadKey(root, author), root.position());
		}
		reply.record().mentionedUsers().forEach((user) -> participants.put(new ThreadKey(root, user), root.position()));
		participants.put(new ThreadKey(root, reply.record().sender()), reply.position());
		participants.forEach((key, position) -> {
			if (filter.test(key)) {
				standings.merge(key, ThreadStanding.NONE.withReply(position),
						(standing, added) -> standing.withReply(position));
			}
		});
	}

	/**
	 * Returns the number of replies that these users have not read, without deleted ones;
	 * 0 for users who do not follow the thread. Queries the positions below the last
	 * stored replies, all at once.
	 */
	public Map<ThreadKey, Long> unread(Map<ThreadKey, ThreadStanding> users) {
		Map<ThreadKey, Place> places = new HashMap<>();
		users.forEach((key, standing) -> {
			if (standing.follows()) {
				places.put(key, new Place(key.root(), standing.readTo()));
			}
		});
		Set<Place> wanted = new HashSet<>(places.values());
		Map<Place, Long> numbers = numbersAt(wanted);
		Map<Place, Long> deleted = deletedAfter(wanted);
		Map<ThreadKey, Long> unread = new HashMap<>();
		users.keySet().forEach((key) -> {
			Place place = places.get(key);
			unread.put(key, (place != null) ? Math.max(0,
					thread(key.root()).number() - numbers.getOrDefault(place, 0L) - deleted.getOrDefault(place, 0L))
					: 0L);
		});
		return unread;
	}

	private Map<Place, Long> numbersAt(Collection<Place> places) {
		Map<Place, Long> numbers = new HashMap<>();
		Set<Place> queried = new HashSet<>();
		for (Place place : places) {
			ThreadState thread = stored(place.root()).thread();
			if (place.position() >= thread.last()) {
				numbers.put(place,
						thread.number() + newer(place.root()).stream()
							.filter((event) -> event.record().countsInThread() && event.position() <= place.position())
							.count());
			}
			else if (place.position() > place.root().position()) {
				queried.add(place);
			}
		}
		if (!queried.isEmpty()) {
			numbers.putAll(this.database.query(() -> this.stored.numbersAt(queried)));
		}
		return numbers;
	}

	private Map<Place, Long> deletedAfter(Collection<Place> places) {
		Map<Place, Long> queried = places.stream()
			.filter((place) -> stored(place.root()).thread().deleted() > 0)
			.collect(Collectors.toMap(Function.identity(), (place) -> stored(place.root()).changed()));
		Map<Place, Long> deleted = new HashMap<>();
		if (!queried.isEmpty()) {
			deleted.putAll(this.database.query(() -> this.stored.deletedAfter(queried)));
		}
		for (Place place : places) {
			deleted.merge(place,
					newer(place.root()).stream()
						.filter((event) -> event.record().deletesReply() && event.record().target() > place.position())
						.count(),
					Long::sum);
		}
		return deleted;
	}

}
