package io.parley.server.timeline;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.parley.events.MessageState;
import io.parley.events.Reaction;
import io.parley.events.ReactionView;
import io.parley.server.database.Database;
import io.parley.store.event.MessageStateRepository;
import io.parley.store.event.ReactionRepository;
import io.parley.store.event.RoomPosition;

import org.springframework.stereotype.Component;

/**
 * The reactions to messages, stored or not. Reactions are read before the states, and the
 * changes that are not stored before both: then a fold of these changes is exact,
 * whatever is stored meanwhile. Safe for use by many threads.
 */
@Component
public class MessageReactions {

	private final Tail tail;

	private final Backlog backlog;

	private final MessageStateRepository states;

	private final ReactionRepository reactions;

	private final Database database;

	MessageReactions(Tail tail, Backlog backlog, MessageStateRepository states, ReactionRepository reactions,
			Database database) {
		this.tail = tail;
		this.backlog = backlog;
		this.states = states;
		this.reactions = reactions;
		this.database = database;
	}

	/**
	 * The state of a message.
	 *
	 * @param reactions those of the wanted reactions that are given; it may contain
	 * others
	 */
	public record Given(MessageState state, Set<Reaction> reactions) {
	}

	/**
	 * Returns the state of a message after all changes that were confirmed before the
	 * call.
	 * @param wanted the reactions whose users the caller needs to know
	 * @param upTo the position of a change that was confirmed here, or 0
	 * @throws IllegalStateException if the tail does not read them in time
	 */
	public Given of(String room, long target, Set<Reaction> wanted, long upTo) {
		TailPartition.Slice slice = this.tail.allConfirmedAfter(room, target - 1, upTo);
		if (this.backlog.isInMemory(slice, room, target - 1)) {
			return given(target, new PartitionMessageStates(Map.of(), to(target, slice.events())));
		}
		long storedOffset = this.backlog.storedOffset(room);
		List<PositionedEvent> changes = to(target, this.backlog.after(room, target, slice, storedOffset).changes());
		Set<Reaction> all = new HashSet<>(wanted);
		PartitionMessageStates.reactions(changes).values().forEach(all::addAll);
		Map<Long, Set<Reaction>> given = given(room, Map.of(target, all));
		Map<Long, MessageState> stored = this.database.query(() -> this.states.of(room, List.of(target)));
		return given(target, new PartitionMessageStates(stored, given, changes));
	}

	private static List<PositionedEvent> to(long target, Collection<PositionedEvent> events) {
		return events.stream().filter((event) -> event.record().target() == target).toList();
	}

	private static Given given(long target, PartitionMessageStates states) {
		MessageState state = states.of(target);
		return new Given((state != null) ? state : MessageState.of(target), states.given(target));
	}

	/** Returns which of these reactions to messages of a room are stored. */
	Map<Long, Set<Reaction>> given(String room, Map<Long, Set<Reaction>> wanted) {
		if (wanted.isEmpty()) {
			return Map.of();
		}
		Map<RoomPosition, Set<Reaction>> ofRoom = new HashMap<>();
		wanted.forEach((target, reactions) -> ofRoom.put(new RoomPosition(room, target), reactions));
		Map<Long, Set<Reaction>> given = new HashMap<>();
		this.database.query(() -> this.reactions.given(ofRoom))
			.forEach((message, reactions) -> given.put(message.position(), reactions));
		return given;
	}

	/**
	 * Returns the reactions to messages as a user sees them.
	 * @param shown the states of the messages
	 */
	Map<Long, Map<String, ReactionView>> views(String room, String user, Map<Long, MessageState> shown) {
		Map<RoomPosition, Set<String>> keys = new HashMap<>();
		Map<RoomPosition, Set<Reaction>> own = new HashMap<>();
		shown.forEach((target, state) -> {
			if (!state.counts().isEmpty()) {
				RoomPosition message = new RoomPosition(room, target);
				keys.put(message, state.counts().keySet());
				Set<Reaction> ofUser = new HashSet<>();
				state.counts().keySet().forEach((key) -> ofUser.add(new Reaction(user, key)));
				own.put(message, ofUser);
			}
		});
		if (keys.isEmpty()) {
			return Map.of();
		}
		Users users = users(room, keys, own);
		Map<Long, Map<String, ReactionView>> views = new HashMap<>();
		keys.keySet().forEach((message) -> {
			MessageState state = shown.get(message.position());
			if (state != null) {
				views.put(message.position(), users.views(message.position(), user, state));
			}
		});
		return views;
	}

	private Users users(String room, Map<RoomPosition, Set<String>> keys, Map<RoomPosition, Set<Reaction>> own) {
		long first = keys.keySet().stream().mapToLong(RoomPosition::position).min().orElseThrow();
		TailPartition.Slice slice = this.tail.after(room, first - 1);
		if (this.backlog.isInMemory(slice, room, first - 1)) {
			return new Users(Map.of(), new PartitionMessageStates(Map.of(), slice.events()), Map.of());
		}
		long storedOffset = this.backlog.storedOffset(room);
		List<PositionedEvent> changes = this.backlog.after(room, first - 1, slice, storedOffset).changes();
		Map<RoomPosition, Set<Reaction>> stored = this.database
			.query(() -> this.reactions.firstUsers(keys, ReactionView.MAX_USERS));
		this.database.query(() -> this.reactions.given(own))
			.forEach((message, reactions) -> stored.computeIfAbsent(message, (key) -> new LinkedHashSet<>())
				.addAll(reactions));
		Map<Long, Set<Reaction>> byTarget = new HashMap<>();
		stored.forEach((message, reactions) -> byTarget.put(message.position(), reactions));
		return new Users(byTarget, new PartitionMessageStates(Map.of(), changes),
				PartitionMessageStates.reactions(changes));
	}

	/**
	 * Users who have given reactions.
	 *
	 * @param stored those of the database
	 * @param newer what changes that may not be stored made of the reactions in them
	 * @param changed the reactions in these changes
	 */
	private record Users(Map<Long, Set<Reaction>> stored, PartitionMessageStates newer,
			Map<Long, Set<Reaction>> changed) {

		Map<String, ReactionView> views(long target, String user, MessageState state) {
			Set<Reaction> given = new LinkedHashSet<>(this.stored.getOrDefault(target, Set.of()));
			given.removeAll(this.changed.getOrDefault(target, Set.of()));
			given.addAll(this.newer.given(target));
			Map<String, List<String>> users = new HashMap<>();
			given.forEach((reaction) -> users.computeIfAbsent(reaction.key(), (key) -> new ArrayList<>())
				.add(reaction.user()));
			Map<String, ReactionView> views = new LinkedHashMap<>();
			state.counts()
				.forEach((key, count) -> views.put(key, new ReactionView(count, given.contains(new Reaction(user, key)),
						users.getOrDefault(key, List.of()).stream().sorted().limit(ReactionView.MAX_USERS).toList())));
			return views;
		}

	}

}
