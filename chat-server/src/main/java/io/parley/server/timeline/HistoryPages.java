package io.parley.server.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.parley.server.error.ChatException;
import io.parley.store.event.RoomPosition;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Pages of {@link History} in which each message has its number. While the database is
 * unavailable, the numbers are unknown and left out. Safe for use by many threads.
 */
@Component
public class HistoryPages {

	private final History history;

	private final RoomHeadReader heads;

	HistoryPages(History history, RoomHeadReader heads) {
		this.history = history;
		this.heads = heads;
	}

	/** Returns the first events after a position, in ascending order. */
	public List<NumberedEvent> after(String room, long position, int limit) {
		return numbered(room, this.history.after(room, position, limit));
	}

	/** Returns the last events before a position, in ascending order. */
	public List<NumberedEvent> before(String room, long position, int limit) {
		return numbered(room, this.history.before(room, position, limit));
	}

	/** Adds the numbers to messages that do not follow each other. */
	List<NumberedEvent> numberedSingly(String room, List<PositionedEvent> messages) {
		List<RoomPosition> unknown = messages.stream()
			.filter((message) -> message.number() == 0)
			.map((message) -> new RoomPosition(room, message.position()))
			.toList();
		Map<RoomPosition, Long> numbers = unknown.isEmpty() ? Map.of()
				: this.heads.of(List.of(room)).numbersAt(unknown);
		return messages.stream()
			.map((message) -> new NumberedEvent(message,
					(message.number() > 0) ? Long.valueOf(message.number())
							: numbers.get(new RoomPosition(room, message.position()))))
			.toList();
	}

	private List<NumberedEvent> numbered(String room, List<PositionedEvent> events) {
		if (events.isEmpty()) {
			return List.of();
		}
		Long number = numberBefore(room, events.getFirst());
		List<NumberedEvent> numbered = new ArrayList<>(events.size());
		for (PositionedEvent event : events) {
			if (event.number() > 0) {
				number = event.number();
			}
			else if (number != null && event.record().counts()) {
				number++;
			}
			numbered.add(new NumberedEvent(event, number));
		}
		return numbered;
	}

	private @Nullable Long numberBefore(String room, PositionedEvent event) {
		if (event.number() > 0) {
			return null;
		}
		RoomPosition before = new RoomPosition(room, event.position() - 1);
		try {
			return this.heads.of(List.of(room)).numbersAt(List.of(before)).get(before);
		}
		catch (ChatException ex) {
			return null;
		}
	}

}
