package io.parley.server.message;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.parley.server.database.Database;
import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.server.error.StoreFailures;
import io.parley.server.room.RoomAccess;
import io.parley.server.timeline.RecentMessages.Place;
import io.parley.store.room.SlowModeTurns;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Lets members send one message per time in rooms with slow mode. The database decides,
 * for all servers; while it is unavailable, each server decides by the messages it knows.
 * A room without slow mode costs nothing. Safe for use by many threads.
 */
@Component
class SlowModeGate {

	private static final int MAX_TURNS = 100_000;

	private final RoomAccess access;

	private final MessageChanges changes;

	private final Database database;

	private final SlowModeTurns turns;

	/** Asked only while the database is unavailable. */
	private final Cache<Writer, Turn> here = Caffeine.newBuilder()
		.maximumSize(MAX_TURNS)
		.expireAfterWrite(Duration.ofHours(6))
		.build();

	SlowModeGate(RoomAccess access, MessageChanges changes, Database database, SlowModeTurns turns) {
		this.access = access;
		this.changes = changes;
		this.database = database;
		this.turns = turns;
	}

	private record Writer(String room, String user) {
	}

	private record Turn(String clientId, Instant at) {
	}

	/**
	 * Appends a message if it is the turn of its sender, or returns the place of the
	 * message if it was stored before. A message that is certainly not appended gives its
	 * turn back; one with an unknown outcome keeps it for its retry.
	 * @throws ChatException {@code slow-mode} if it is too early
	 */
	CompletableFuture<Place> pass(String room, String sender, String clientId,
			Supplier<CompletableFuture<Place>> append) {
		int seconds = this.access.slowMode(room, sender);
		if (seconds == 0) {
			return append.get();
		}
		Writer writer = new Writer(room, sender);
		Turn turn = new Turn(clientId, Instant.now().truncatedTo(ChronoUnit.MILLIS));
		Duration pause = Duration.ofSeconds(seconds);
		Instant last = take(writer, turn, pause);
		if (last != null) {
			Place stored = stored(writer, clientId);
			if (stored != null) {
				return CompletableFuture.completedFuture(stored);
			}
			throw tooEarly(seconds, Duration.between(turn.at(), last.plus(pause)));
		}
		try {
			return append.get().whenComplete((place, failure) -> {
				if (failure != null && !mayBeAppended(failure)) {
					// Not on this thread, which may be that of the log.
					Thread.ofVirtual().name("slow-mode").start(() -> giveBack(writer, turn));
				}
			});
		}
		catch (RuntimeException ex) {
			giveBack(writer, turn);
			throw ex;
		}
	}

	private static ChatException tooEarly(int seconds, Duration left) {
		// Clocks of servers differ a little.
		Duration wait = left.isPositive() ? left : Duration.ofSeconds(1);
		return ErrorCode.SLOW_MODE.because("This room has slow mode: one message in " + seconds
				+ " s. Send it again in " + Math.max(1, wait.plusMillis(999).toSeconds()) + " s.", wait);
	}

	private @Nullable Instant take(Writer writer, Turn turn, Duration pause) {
		try {
			Instant last = this.database
				.query(() -> this.turns.take(writer.room(), writer.user(), turn.clientId(), turn.at(), pause));
			if (last == null) {
				this.here.put(writer, turn);
			}
			return last;
		}
		catch (ChatException ex) {
			if (!StoreFailures.isUnavailable(ex)) {
				throw ex;
			}
			return takeHere(writer, turn, pause);
		}
	}

	private @Nullable Instant takeHere(Writer writer, Turn turn, Duration pause) {
		Turn current = this.here.asMap().compute(writer, (same, last) -> {
			boolean free = last == null || last.clientId().equals(turn.clientId())
					|| !last.at().plus(pause).isAfter(turn.at());
			return free ? turn : last;
		});
		return current.clientId().equals(turn.clientId()) ? null : current.at();
	}

	/** Returns the place of a message that was sent before the last one. */
	private @Nullable Place stored(Writer writer, String clientId) {
		try {
			return this.changes.stored(writer.room(), writer.user(), clientId);
		}
		catch (ChatException ex) {
			return null;
		}
	}

	private static boolean mayBeAppended(Throwable failure) {
		Throwable cause = (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause()
				: failure;
		return cause instanceof ChatException known && known.errorCode() == ErrorCode.APPEND_UNKNOWN;
	}

	private void giveBack(Writer writer, Turn turn) {
		this.here.asMap().remove(writer, turn);
		try {
			this.database.query(() -> {
				this.turns.giveBack(writer.room(), writer.user(), turn.clientId(), turn.at());
				return true;
			});
		}
		catch (RuntimeException ex) {
			// The sender waits for the next turn.
		}
	}

}
