package io.parley.server.delivery;

import java.util.List;

import io.parley.server.session.ChatSession;
import io.parley.server.timeline.History;
import io.parley.server.timeline.HistoryProperties;
import io.parley.server.timeline.PositionedEvent;
import io.parley.server.timeline.RoomHeadReader;
import org.jspecify.annotations.Nullable;

/**
 * Sends missed events to one subscription, in small steps. The next step is read when the
 * socket has taken the previous one, so a client that reads nothing costs the memory of
 * one step. Ends when its subscription ends.
 */
final class Replay {

	/** Number of events in the first step, before their size is known. */
	private static final int FIRST_STEP = 8;

	private static final int MAX_STEP = 100;

	/** Approximate number of bytes in a step. */
	private static final long STEP_BYTES = 64 * 1024;

	/** A step of a few large events may be longer. */
	private static final long MAX_AHEAD_BYTES = 4 * STEP_BYTES;

	private final RoomSubscription subscription;

	private final String room;

	private final History history;

	private final RoomHeadReader heads;

	private final ReplayBudget budget;

	private final int maxEvents;

	private int step = FIRST_STEP;

	/** The memory of the last step. */
	private ReplayBudget.@Nullable Taken memory;

	Replay(RoomSubscription subscription, String room, History history, RoomHeadReader heads,
			HistoryProperties properties, ReplayBudget budget) {
		this.subscription = subscription;
		this.room = room;
		this.history = history;
		this.heads = heads;
		this.budget = budget;
		this.maxEvents = properties.replay();
	}

	/**
	 * Where a subscription begins.
	 *
	 * @param head the newest position of the room
	 * @param recovered whether everything after the client's last position will be sent
	 */
	record Start(long head, boolean recovered) {
	}

	/**
	 * Determines how much the client has missed. Loads no events.
	 * @param after the last position that the client has, or null
	 */
	Start start(@Nullable Long after) throws InterruptedException {
		// First, because it may wait until the history reaches that position.
		boolean known = after == null || this.history.isKnown(this.room, after);
		return this.budget.read(() -> {
			long head = this.heads.position(this.room);
			boolean few = after == null || !known
					|| this.history.countAfter(this.room, after, this.maxEvents + 1) <= this.maxEvents;
			return new Start(head, known && few);
		});
	}

	/**
	 * Sends everything after the cursor of the subscription, until little is left for the
	 * switch to live delivery. A client gets a gap instead if there is no memory for it,
	 * or if it is slower than its room.
	 */
	void run() throws InterruptedException {
		ChatSession session = this.subscription.session();
		try {
			int sent = 0;
			boolean more = true;
			while (more && !this.subscription.ended()) {
				session.awaitBacklogAtMost(STEP_BYTES);
				release();
				List<PositionedEvent> events = this.budget
					.read(() -> this.history.after(this.room, this.subscription.cursor(), this.step));
				if (events.isEmpty()) {
					return;
				}
				more = events.size() == this.step;
				long bytes = events.stream().mapToLong(PositionedEvent::bytes).sum();
				this.memory = this.budget.take(bytes);
				sent += events.size();
				if (this.memory == null || sent > 2L * this.maxEvents) {
					this.subscription.skipTo(this.heads.position(this.room));
					return;
				}
				send(session, events);
				this.step = (int) Math.clamp(STEP_BYTES * events.size() / Math.max(1, bytes), 1, MAX_STEP);
			}
			session.awaitBacklogAtMost(STEP_BYTES);
		}
		finally {
			release();
		}
	}

	private void send(ChatSession session, List<PositionedEvent> events) throws InterruptedException {
		for (PositionedEvent event : events) {
			session.awaitBacklogAtMost(MAX_AHEAD_BYTES);
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
