package io.parley.server.message;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.parley.events.EventType;
import io.parley.events.MessagePosted;
import io.parley.events.Reaction;
import io.parley.events.ReactionChanged;
import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.server.error.ExceptionTranslator;
import io.parley.server.timeline.MessageReactions;
import io.parley.server.timeline.RecentMessages.Place;
import io.parley.server.timeline.RoomWriter;
import io.parley.store.event.RoomPosition;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Appends the changes of the reactions to one message that were gathered, as one record.
 * Called for one batch of a message at a time.
 */
@Component
class ReactionWriter {

	/** How long an append whose outcome is unknown may still come into effect. */
	private static final Duration UNKNOWN = Duration.ofMinutes(2);

	private final MessageChanges messages;

	private final MessageReactions reactions;

	private final RoomWriter writer;

	/** Messages with appends whose outcome is unknown. */
	private final Cache<RoomPosition, Boolean> unknown = Caffeine.newBuilder()
		.maximumSize(100_000)
		.expireAfterWrite(UNKNOWN)
		.build();

	ReactionWriter(MessageChanges messages, MessageReactions reactions, RoomWriter writer) {
		this.messages = messages;
		this.reactions = reactions;
		this.writer = writer;
	}

	/** A change that waits for the record that will have it. */
	record Waiting(Reaction.Change change, CompletableFuture<Reacted> result) {

		Waiting(Reaction.Change change) {
			this(change, new CompletableFuture<>());
		}

	}

	/**
	 * The result of a change.
	 *
	 * @param position the position of the record that has it; if it has no effect, that
	 * of the last record of reactions to the message, or of the message itself
	 * @param id the id of the record; null if the change has no effect
	 */
	record Reacted(long position, @Nullable String id) {
	}

	/**
	 * An appended record.
	 *
	 * @param base the position of the record that it follows, as far as this server knew
	 */
	record Written(long base, long position, Map<String, Integer> counts) {
	}

	/**
	 * Decides and appends the changes, and completes those that are refused or have no
	 * effect. If there are none, and the last record from here is the newest one and
	 * crossed another, a record with the right counts is appended unless it had them.
	 * @return the appended record, or null if nothing was to append
	 */
	CompletableFuture<@Nullable Written> write(RoomPosition message, ReactionGathering.Batch batch) {
		List<Waiting> changes = batch.changes();
		Written own = batch.own();
		MessagePosted posted = this.messages.requireChangeable(EventType.REACTION_CHANGED, message.room(),
				message.position());
		MessageReactions.Given given = given(message, changes, (own != null) ? own.position() : 0);
		long base = Math.max(given.state().reacted(), message.position());
		ReactionTally tally = new ReactionTally(given, this.unknown.getIfPresent(message) == null);
		List<Waiting> taken = changes.stream().filter((change) -> isTaken(tally, change)).toList();
		List<Reaction.Change> effective = tally.changes();
		boolean wrong = batch.crossed() && own != null && own.position() == base
				&& !own.counts().equals(tally.counts());
		if (effective.isEmpty() && !wrong) {
			taken.forEach((change) -> change.result().complete(new Reacted(base, null)));
			return CompletableFuture.completedFuture(null);
		}
		ReactionChanged record = new ReactionChanged(message.room(), UUID.randomUUID().toString(),
				effective.isEmpty() ? posted.sender() : effective.getFirst().reaction().user(),
				Instant.now().truncatedTo(ChronoUnit.MILLIS), message.position(), tally.counts(), effective,
				posted.thread());
		return this.writer.append(record).handleAsync((place, failure) -> {
			complete(message, taken, place, failure);
			return (failure != null) ? null : new Written(base, place.position(), record.counts());
		}, (task) -> Thread.ofVirtual().name("reactions").start(task));
	}

	private static boolean isTaken(ReactionTally tally, Waiting waiting) {
		ChatException refused = tally.apply(waiting.change());
		if (refused != null) {
			waiting.result().completeExceptionally(refused);
		}
		return refused == null;
	}

	private void complete(RoomPosition message, List<Waiting> taken, @Nullable Place place,
			@Nullable Throwable failure) {
		if (failure == null && place != null) {
			Reacted reacted = new Reacted(place.position(), place.id());
			taken.forEach((change) -> change.result().complete(reacted));
			return;
		}
		ChatException refused = ExceptionTranslator
			.ofMessage((failure != null) ? failure : new IllegalStateException());
		if (refused.errorCode() == ErrorCode.APPEND_UNKNOWN) {
			this.unknown.put(message, true);
		}
		taken.forEach((change) -> change.result().completeExceptionally(refused));
	}

	private MessageReactions.Given given(RoomPosition message, List<Waiting> changes, long upTo) {
		Set<Reaction> changed = changes.stream()
			.map((change) -> change.change().reaction())
			.collect(Collectors.toSet());
		MessageReactions.Given given = this.reactions.of(message.room(), message.position(), changed, upTo);
		Set<String> keys = new HashSet<>(given.state().counts().keySet());
		changed.forEach((reaction) -> keys.add(reaction.key()));
		if (keys.size() <= ReactionTally.MAX_KEYS_OF_USER) {
			return given;
		}
		Set<Reaction> ofUsers = new HashSet<>();
		changed.forEach((reaction) -> keys.forEach((key) -> ofUsers.add(new Reaction(reaction.user(), key))));
		return this.reactions.of(message.room(), message.position(), ofUsers, upTo);
	}

}
