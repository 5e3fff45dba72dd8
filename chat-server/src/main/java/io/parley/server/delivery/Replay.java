package io.parley.server.delivery;

import java.util.List;

import io.parley.server.timeline.History;
import io.parley.server.timeline.HistoryProperties;
import io.parley.server.timeline.PositionedEvent;
import io.parley.server.session.ChatSession;
import org.jspecify.annotations.Nullable;

/**
 * Sends to one subscription what its client has missed, in small steps: the next one is
 * read when the socket has taken the one before. So a client that takes nothing costs one
 * step of memory. Ends when its subscription does.
 */
final class Replay {

	/** So many events are read first, before their size is known. */
	private static final int FIRST_STEP = 8;

	private static final int LONGEST_STEP = 100;

	/** About so much is read at once. */
	private static final long STEP_BYTES = 64 * 1024;

	/** A step of few large events may be longer. */
	private static final long MAX_AHEAD_BYTES = 4 * STEP_BYTES;

	private final RoomSubscription subscription;

	private final String room;

	private final History history;

	private final ReplayBudget budget;

	private final int maxEvents;

	private int step = FIRST_STEP;

	/** The memory of the last step. */
	private ReplayBudget.@Nullable Taken memory;

	Replay(RoomSubscription subscription, String room, History history, HistoryProperties properties,
			ReplayBudget budget) {
		this.subscription = subscription;
		this.room = room;
		this.history = history;
		this.budget = budget;
		this.maxEvents = properties.replay();
	}

	/**
	 * Where a subscription begins.
	 *
	 * @param head the newest position of the room
	 * @param recovered whether everything after what the client knows will be sent
	 */
	record Start(long head, boolean recovered) {
	}

	/**
	 * Looks how much the client has missed. Loads no event.
	 * @param after the last position that the client knows, or null
	 */
	Start start(@Nullable Long after) throws InterruptedException {
		// Asked first, because it may wait: by then the history comes to that position.
		boolean known = after == null || this.history.isKnown(this.room, after);
		return this.budget.reading(() -> {
			long head = this.history.headPosition(this.room);
			boolean few = after == null || !known
					|| this.history.countAfter(this.room, after, this.maxEvents + 1) <= this.maxEvents;
			return new Start(head, known && few);
		});
	}

	/**
	 * Sends everything after the cursor of the subscription, until little is left for the
	 * moment of going live. A client for which there is no memory, or that is slower than
	 * its room, is told of a gap instead.
	 */
	void run() throws InterruptedException {
		ChatSession session = this.subscription.session();
		try {
			int sent = 0;
			boolean more = true;
			while (more && !this.subscription.ended()) {
				session.awaitAtMost(STEP_BYTES);
				release();
				List<PositionedEvent> events = this.budget
					.reading(() -> this.history.after(this.room, this.subscription.cursor(), this.step));
				if (events.isEmpty()) {
					return;
				}
				more = events.size() == this.step;
				long bytes = events.stream().mapToLong(PositionedEvent::bytes).sum();
				this.memory = this.budget.take(bytes);
				sent += events.size();
				if (this.memory == null || sent > 2L * this.maxEvents) {
					this.subscription.skipTo(this.history.headPosition(this.room));
					return;
				}
				send(session, events);
				this.step = (int) Math.clamp(STEP_BYTES * events.size() / Math.max(1, bytes), 1, LONGEST_STEP);
			}
			session.awaitAtMost(STEP_BYTES);
		}
		finally {
			release();
		}
	}

	private void send(ChatSession session, List<PositionedEvent> events) throws InterruptedException {
		for (PositionedEvent event : events) {
			session.awaitAtMost(MAX_AHEAD_BYTES);
			this.subscription.replay(List.of(event));
		}
	}

	private void release() {
		if (this.memory != null) {
			this.memory.close();
			this.memory = null;
		}
	}

}
