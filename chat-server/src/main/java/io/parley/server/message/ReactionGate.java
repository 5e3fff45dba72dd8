package io.parley.server.message;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.parley.events.EventType;
import io.parley.events.Reaction;
import io.parley.server.error.ChatException;
import io.parley.server.error.ChatExceptions;
import io.parley.server.error.ErrorCode;
import io.parley.server.message.ReactionWriter.Reacted;
import io.parley.server.message.ReactionWriter.Waiting;
import io.parley.server.message.ReactionWriter.Written;
import io.parley.server.timeline.PositionedEvent;
import io.parley.server.timeline.TailListener;
import io.parley.store.event.RoomPosition;
import jakarta.annotation.PreDestroy;
import org.jspecify.annotations.Nullable;

import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Gathers the changes of the reactions to a message, so that a rush does not become as
 * many events. The first change is written at once; the next ones together, not before a
 * second after the newest record of reactions to that message, whichever server wrote it.
 * Where others write all the time, a change waits 1.2 seconds at most, so that each
 * server writes at most one record a second. Safe for use by many threads.
 */
@Component
class ReactionGate implements TailListener {

	private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** Lets servers that wait for the same message write at different times. */
	private static final long MAX_JITTER_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

	/** Changes in one record, some 250 KB. */
	private static final int MAX_CHANGES = 4_000;

	/** Changes of all messages that wait, some 20 MB. */
	private static final int MAX_WAITING = 50_000;

	/** Messages with changes that wait, or with a record that may have to be corrected. */
	private final Map<RoomPosition, Gathering> gatherings = new ConcurrentHashMap<>();

	private final AtomicInteger waiting = new AtomicInteger();

	/** When the newest record of reactions to a message was seen here. */
	private final Cache<RoomPosition, Long> newest = Caffeine.newBuilder()
		.maximumSize(100_000)
		.expireAfterWrite(Duration.ofSeconds(2))
		.build();

	private final ScheduledExecutorService timer = Executors
		.newSingleThreadScheduledExecutor(Thread.ofPlatform().name("reactions").daemon().factory());

	private final ReactionWriter writer;

	/** Whether nothing waits any more. */
	private volatile boolean stopping;

	ReactionGate(ReactionWriter writer) {
		this.writer = writer;
	}

	/** What is known of one message. Guarded by the map. */
	private static final class Gathering {

		private List<Waiting> changes = new ArrayList<>();

		/** When the oldest of them came. */
		private long since;

		private long jitter;

		/** Whether changes are being written. */
		private boolean writing;

		/** The last record from here, to be checked for others that crossed it. */
		private @Nullable Written own;

		/** When it was confirmed; null for never. */
		private @Nullable Long ownAt;

		/** The positions of records that were read since the last write began. */
		private final Set<Long> read = new HashSet<>();

		void add(Waiting change) {
			if (this.changes.isEmpty()) {
				this.since = System.nanoTime();
				this.jitter = ThreadLocalRandom.current().nextLong(MAX_JITTER_NANOS);
			}
			this.changes.add(change);
		}

		/** Whether the last record from here is the last one and crossed another. */
		boolean crossed() {
			Written written = this.own;
			return written != null
					&& this.read.stream()
						.anyMatch((position) -> position > written.base() && position < written.position())
					&& this.read.stream().noneMatch((position) -> position > written.position());
		}

		/** Whether the last record from here was not read back yet. */
		boolean readsBack() {
			Written written = this.own;
			return written != null && this.read.stream().noneMatch((position) -> position >= written.position());
		}

	}

	/**
	 * Changes a reaction.
	 * @return the result, once the record with the change is durable; completed
	 * exceptionally with a {@link ChatException} if the change is refused
	 * @throws ChatException if too many changes wait
	 */
	CompletableFuture<Reacted> change(RoomPosition message, Reaction.Change change) {
		Waiting added = new Waiting(change);
		if (this.waiting.incrementAndGet() > MAX_WAITING) {
			this.waiting.decrementAndGet();
			throw busy();
		}
		added.result().whenComplete((result, failure) -> this.waiting.decrementAndGet());
		this.gatherings.compute(message, (key, present) -> {
			Gathering gathering = (present != null) ? present : new Gathering();
			if (gathering.changes.size() >= MAX_CHANGES) {
				added.result().completeExceptionally(busy());
				return gathering;
			}
			gathering.add(added);
			if (gathering.changes.size() == 1 && !gathering.writing) {
				schedule(message, gathering);
			}
			return gathering;
		});
		return added.result();
	}

	private static ChatException busy() {
		return ErrorCode.SERVER_BUSY.because("Too many reactions wait to be stored; send it again in a moment.");
	}

	/** Writes the changes when their time has come. */
	private void schedule(RoomPosition message, Gathering gathering) {
		long wait = waitNanos(message, gathering);
		if (wait > 0) {
			this.timer.schedule(() -> due(message), wait, TimeUnit.NANOSECONDS);
			return;
		}
		gathering.writing = true;
		Thread.ofVirtual().name("reactions").start(() -> write(message));
	}

	private long waitNanos(RoomPosition message, Gathering gathering) {
		Long last = this.newest.getIfPresent(message);
		if (last == null || this.stopping) {
			return 0;
		}
		long now = System.nanoTime();
		long wait = Math.min(last + PAUSE_NANOS + gathering.jitter - now,
				gathering.since + PAUSE_NANOS + MAX_JITTER_NANOS - now);
		return (gathering.ownAt != null) ? Math.max(wait, gathering.ownAt + PAUSE_NANOS - now) : wait;
	}

	private void due(RoomPosition message) {
		this.gatherings.computeIfPresent(message, (key, gathering) -> {
			if (!gathering.writing && !gathering.changes.isEmpty()) {
				schedule(message, gathering);
			}
			return gathering;
		});
	}

	private void write(RoomPosition message) {
		Gathering gathering = this.gatherings.get(message);
		if (gathering == null) {
			return;
		}
		List<Waiting> changes = new ArrayList<>();
		boolean[] crossed = new boolean[1];
		this.gatherings.computeIfPresent(message, (key, same) -> {
			changes.addAll(same.changes);
			same.changes = new ArrayList<>();
			crossed[0] = same.crossed();
			same.read.clear();
			return same;
		});
		Written own = gathering.own;
		try {
			this.writer.write(message, changes, own, crossed[0])
				.whenComplete((written, failure) -> finish(message, written));
		}
		catch (RuntimeException ex) {
			ChatException refused = ChatExceptions.ofMessage(ex);
			changes.forEach((change) -> change.result().completeExceptionally(refused));
			finish(message, null);
		}
	}

	private void finish(RoomPosition message, @Nullable Written written) {
		long now = System.nanoTime();
		if (written != null) {
			this.newest.put(message, now);
		}
		this.gatherings.computeIfPresent(message, (key, gathering) -> {
			gathering.writing = false;
			gathering.own = written;
			gathering.ownAt = (written != null) ? Long.valueOf(now) : gathering.ownAt;
			if (!gathering.changes.isEmpty()) {
				schedule(message, gathering);
			}
			else if (written == null) {
				return null;
			}
			if (written != null) {
				this.timer.schedule(() -> check(message, written), PAUSE_NANOS, TimeUnit.NANOSECONDS);
			}
			return gathering;
		});
	}

	/** Corrects the counts of a record that crossed one of another server. */
	private void check(RoomPosition message, Written written) {
		this.gatherings.computeIfPresent(message, (key, gathering) -> {
			if (gathering.own != written || gathering.writing || !gathering.changes.isEmpty()) {
				return gathering;
			}
			if (gathering.readsBack() && !this.stopping) {
				this.timer.schedule(() -> check(message, written), PAUSE_NANOS, TimeUnit.NANOSECONDS);
				return gathering;
			}
			if (!gathering.crossed()) {
				return null;
			}
			gathering.writing = true;
			Thread.ofVirtual().name("reactions").start(() -> write(message));
			return gathering;
		});
	}

	@Override
	public void onEvent(PositionedEvent event) {
		if (event.record().type().equals(EventType.REACTION_CHANGED)) {
			RoomPosition message = new RoomPosition(event.room(), event.record().target());
			this.newest.put(message, System.nanoTime());
			this.gatherings.computeIfPresent(message, (key, gathering) -> {
				gathering.read.add(event.position());
				return gathering;
			});
		}
	}

	/** Writes all that waits before the sessions are closed, and nothing waits again. */
	@EventListener(ContextClosedEvent.class)
	void flush() {
		this.stopping = true;
		this.gatherings.keySet().forEach(this::due);
	}

	@PreDestroy
	void stop() {
		this.timer.shutdownNow();
		this.gatherings.values()
			.forEach((gathering) -> gathering.changes.forEach((change) -> change.result().completeExceptionally(busy())));
	}

}
