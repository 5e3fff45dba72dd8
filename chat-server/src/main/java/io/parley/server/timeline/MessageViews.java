package io.parley.server.timeline;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.parley.events.MessageState;
import io.parley.events.ReactionView;
import io.parley.server.database.Database;
import io.parley.store.event.RoomEventRepository;

import org.springframework.stereotype.Component;

/**
 * The messages of a room in their current state: edited, or deleted. Safe for use by many
 * threads.
 */
@Component
public class MessageViews {

	/** The least number of events that are read first to find messages. */
	private static final int FIRST_STEP = 50;

	/** The number of events that are read at once after that. */
	private static final int NEXT_STEP = 500;

	private final Tail tail;

	private final Backlog backlog;

	private final RoomEventRepository stored;

	private final CurrentStates states;

	private final MessageReactions reactions;

	private final PositionConverter positions;

	private final LogHistory log;

	private final Database database;

	private final HistoryPages pages;

	MessageViews(Tail tail, Backlog backlog, RoomEventRepository stored, CurrentStates states,
			MessageReactions reactions, PositionConverter positions, LogHistory log, Database database,
			HistoryPages pages) {
		this.tail = tail;
		this.backlog = backlog;
		this.stored = stored;
		this.states = states;
		this.reactions = reactions;
		this.positions = positions;
		this.log = log;
		this.database = database;
		this.pages = pages;
	}

	/**
	 * A message in its current state, as one user sees it.
	 *
	 * @param reactions by key
	 */
	public record MessageView(NumberedEvent message, MessageState state, Map<String, ReactionView> reactions) {

		/** Returns the message as clients receive it. */
		public byte[] json() {
			PositionedEvent event = this.message.event();
			return this.state.applyTo(event.record())
				.json(event.position(), event.prev(), this.message.number(), this.state, this.reactions);
		}

	}

	/** Returns the first messages after a position, in ascending order. */
	public List<MessageView> after(String room, String user, long position, int limit) {
		return views(room, user, messages(position, limit, (from, step) -> this.pages.after(room, from, step)));
	}

	/** Returns the last messages before a position, in ascending order. */
	public List<MessageView> before(String room, String user, long position, int limit) {
		return views(room, user,
				messages(position, limit, (from, step) -> this.pages.before(room, from, step).reversed()).reversed());
	}

	/**
	 * Reads pages, each from the end of the one before, until there are enough messages.
	 */
	private static List<NumberedEvent> messages(long position, int limit, Pages pages) {
		List<NumberedEvent> messages = new ArrayList<>();
		long from = position;
		int step = Math.max(limit, FIRST_STEP);
		List<NumberedEvent> page = pages.read(from, step);
		while (true) {
			page.stream().filter(NumberedEvent::isMessage).limit(limit - messages.size()).forEach(messages::add);
			if (messages.size() == limit || page.size() < step) {
				return messages;
			}
			from = page.getLast().event().position();
			step = NEXT_STEP;
			page = pages.read(from, step);
		}
	}

	/** Reads events that follow a position in one direction. */
	private interface Pages {

		List<NumberedEvent> read(long position, int limit);

	}

	/** Returns the state of a message. */
	public MessageState state(String room, long position) {
		MessageState state = this.states.between(room, position, position).of(position);
		return (state != null) ? state : MessageState.of(position);
	}

	/** Returns the message at a position, which must exist. */
	MessageView message(String room, String user, long position) {
		return current(room, user, this.pages.numberedSingly(room, at(room, List.of(position)))).getFirst();
	}

	/** Returns the replies at these positions, in ascending order. */
	List<MessageView> replies(String room, String user, Collection<Long> positions) {
		return current(room, user,
				at(room, positions).stream().map((event) -> new NumberedEvent(event, null)).toList());
	}

	private List<MessageView> current(String room, String user, List<NumberedEvent> messages) {
		if (messages.isEmpty()) {
			return List.of();
		}
		return views(room, user, messages,
				this.states.of(room,
						messages.stream()
							.map((message) -> message.event().position())
							.collect(Collectors.toCollection(TreeSet::new))));
	}

	private List<MessageView> views(String room, String user, List<NumberedEvent> messages) {
		if (messages.isEmpty()) {
			return List.of();
		}
		return views(room, user, messages, this.states.between(room, messages.getFirst().event().position(),
				messages.getLast().event().position()));
	}

	private List<MessageView> views(String room, String user, List<NumberedEvent> messages,
			PartitionMessageStates states) {
		Map<Long, MessageState> shown = new LinkedHashMap<>();
		for (NumberedEvent message : messages) {
			long position = message.event().position();
			MessageState state = states.of(position);
			shown.put(position, (state != null) ? state : MessageState.of(position));
		}
		return views(room, user, messages, shown);
	}

	private List<MessageView> views(String room, String user, List<NumberedEvent> messages,
			Map<Long, MessageState> shown) {
		Map<Long, Map<String, ReactionView>> reactions = this.reactions.views(room, user, shown);
		Map<Long, MessageView> views = new HashMap<>();
		for (NumberedEvent message : messages) {
			long position = message.event().position();
			MessageState state = shown.get(position);
			if (state != null) {
				views.put(position, new MessageView(message, state, reactions.getOrDefault(position, Map.of())));
			}
		}
		return shown.keySet().stream().map(views::get).filter(Objects::nonNull).toList();
	}

	/**
	 * Returns the messages whose last change is above a position, ordered by that change.
	 */
	public List<MessageView> changedAfter(String room, String user, long position, int limit) {
		Map<Long, MessageState> changed = this.states.changedAfter(room, position, limit);
		return views(room, user, this.pages.numberedSingly(room, at(room, changed.keySet())), changed);
	}

	/** Returns the pinned messages of a room, those that were pinned last first. */
	public List<MessageView> pinned(String room, String user) {
		Map<Long, MessageState> pinned = this.states.pinned(room);
		return views(room, user, this.pages.numberedSingly(room, at(room, pinned.keySet())), pinned);
	}

	/** Returns how many messages of a room are pinned. */
	public int pins(String room) {
		return this.states.pinned(room).size();
	}

	/**
	 * Returns the events at these positions, in ascending order. Positions without an
	 * event are left out.
	 */
	private List<PositionedEvent> at(String room, Collection<Long> positions) {
		TreeSet<Long> missing = new TreeSet<>(positions);
		if (missing.isEmpty()) {
			return List.of();
		}
		TailPartition.Slice slice = this.tail.after(room, missing.getFirst() - 1);
		List<PositionedEvent> events = new ArrayList<>();
		slice.events().stream().filter((event) -> missing.remove(event.position())).forEach(events::add);
		if (!missing.isEmpty()) {
			long storedOffset = this.backlog.storedOffset(room);
			List<PositionedEvent> stored = PositionedEvent
				.of(this.database.query(() -> this.stored.at(room, List.copyOf(missing))));
			stored.forEach((event) -> missing.remove(event.position()));
			events.addAll(stored);
			events.addAll(this.log.at(room,
					missing.stream()
						.mapToLong(Long::longValue)
						.filter((position) -> this.positions.offsetAfter(position) > storedOffset)
						.toArray()));
		}
		events.sort(Comparator.comparingLong(PositionedEvent::position));
		return events;
	}

}
