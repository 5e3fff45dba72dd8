package io.parley.server.message;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.parley.events.EventType;
import io.parley.events.Reaction;
import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.server.error.ExceptionTranslator;
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

	/** Changes of all messages that wait, some 20 MB. */
	private static final int MAX_WAITING = 50_000;

	/**
	 * Messages with changes that wait, or with a record that may have to be corrected.
	 */
	private final Map<RoomPosition, ReactionGathering> gatherings = new ConcurrentHashMap<>();

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
			ReactionGathering gathering = (present != null) ? present : new ReactionGathering();
			if (!gathering.add(added)) {
				added.result().completeExceptionally(busy());
			}
			else if (gathering.isFirst()) {
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
	private void schedule(RoomPosition message, ReactionGathering gathering) {
		long wait = this.stopping ? 0 : gathering.waitNanos(this.newest.getIfPresent(message));
		if (wait > 0) {
			this.timer.schedule(() -> due(message), wait, TimeUnit.NANOSECONDS);
			return;
		}
		write(message, gathering);
	}

	private void due(RoomPosition message) {
		this.gatherings.computeIfPresent(message, (key, gathering) -> {
			if (gathering.isWaiting()) {
				schedule(message, gathering);
			}
			return gathering;
		});
	}

	/** Takes the changes that wait and writes them in another thread. */
	private void write(RoomPosition message, ReactionGathering gathering) {
		ReactionGathering.Batch batch = gathering.take();
		Thread.ofVirtual().name("reactions").start(() -> write(message, batch));
	}

	private void write(RoomPosition message, ReactionGathering.Batch batch) {
		try {
			this.writer.write(message, batch).whenComplete((written, failure) -> finish(message, written));
		}
		catch (RuntimeException ex) {
			ChatException refused = ExceptionTranslator.ofMessage(ex);
			batch.changes().forEach((change) -> change.result().completeExceptionally(refused));
			finish(message, null);
		}
	}

	private void finish(RoomPosition message, @Nullable Written written) {
		if (written != null) {
			this.newest.put(message, System.nanoTime());
		}
		this.gatherings.computeIfPresent(message, (key, gathering) -> {
			gathering.written(written);
			if (gathering.isWaiting()) {
				schedule(message, gathering);
			}
			else if (written == null) {
				return null;
			}
			if (written != null) {
				this.timer.schedule(() -> check(message, written), ReactionGathering.PAUSE_NANOS, TimeUnit.NANOSECONDS);
			}
			return gathering;
		});
	}

	/** Corrects the counts of a record that crossed one of another server. */
	private void check(RoomPosition message, Written written) {
		this.gatherings.computeIfPresent(message, (key, gathering) -> {
			if (!gathering.isQuietSince(written)) {
				return gathering;
			}
			if (gathering.readsBack() && !this.stopping) {
				this.timer.schedule(() -> check(message, written), ReactionGathering.PAUSE_NANOS, TimeUnit.NANOSECONDS);
				return gathering;
			}
			if (!gathering.crossed()) {
				return null;
			}
			write(message, gathering);
			return gathering;
		});
	}

	@Override
	public void onEvent(PositionedEvent event) {
		if (event.record().type().equals(EventType.REACTION_CHANGED)) {
			RoomPosition message = new RoomPosition(event.room(), event.record().target());
			this.newest.put(message, System.nanoTime());
			this.gatherings.computeIfPresent(message, (key, gathering) -> {
				gathering.seen(event.position());
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
			.forEach((gathering) -> gathering.take()
				.changes()
				.forEach((change) -> change.result().completeExceptionally(busy())));
	}

}
