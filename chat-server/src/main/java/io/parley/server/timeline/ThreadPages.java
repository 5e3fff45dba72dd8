package io.parley.server.timeline;

import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;

import io.parley.server.database.Database;
import io.parley.server.timeline.MessageViews.MessageView;
import io.parley.store.event.RoomPosition;
import io.parley.store.thread.ThreadRepository;

import org.springframework.stereotype.Component;

/**
 * Pages of the replies of a thread, in their current state. Safe for use by many threads.
 */
@Component
public class ThreadPages {

	private final Tail tail;

	private final Backlog backlog;

	private final ThreadRepository stored;

	private final Database database;

	private final MessageViews views;

	ThreadPages(Tail tail, Backlog backlog, ThreadRepository stored, Database database, MessageViews views) {
		this.tail = tail;
		this.backlog = backlog;
		this.stored = stored;
		this.database = database;
		this.views = views;
	}

	/** Returns the root, in its current state, as one user sees it. */
	public MessageView root(RoomPosition root, String user) {
		return this.views.message(root.room(), user, root.position());
	}

	/** Returns the first replies after a position, in ascending order. */
	public List<MessageView> after(RoomPosition root, String user, long position, int limit) {
		TreeSet<Long> replies = replies(root, () -> this.stored.after(root, position, limit));
		return this.views.replies(root.room(), user, replies.tailSet(position, false).stream().limit(limit).toList());
	}

	/** Returns the last replies before a position, in ascending order. */
	public List<MessageView> before(RoomPosition root, String user, long position, int limit) {
		TreeSet<Long> replies = replies(root, () -> this.stored.before(root, position, limit));
		return this.views.replies(root.room(), user,
				replies.headSet(position, false).descendingSet().stream().limit(limit).toList());
	}

	/** Returns the positions of all replies that may not be stored, and some others. */
	private TreeSet<Long> replies(RoomPosition root, Supplier<List<Long>> query) {
		String room = root.room();
		TailPartition.Slice slice = this.tail.after(room, root.position());
		if (this.backlog.isInMemory(slice, room, root.position())) {
			return positions(root, slice.events());
		}
		long storedOffset = this.backlog.storedOffset(room);
		TreeSet<Long> replies = positions(root,
				this.backlog.after(room, root.position(), slice, storedOffset).changes());
		replies.addAll(this.database.query(query));
		return replies;
	}

	private static TreeSet<Long> positions(RoomPosition root, List<PositionedEvent> events) {
		TreeSet<Long> positions = new TreeSet<>();
		events.stream()
			.filter((event) -> event.record().countsInThread() && event.record().thread() == root.position())
			.forEach((event) -> positions.add(event.position()));
		return positions;
	}

}
