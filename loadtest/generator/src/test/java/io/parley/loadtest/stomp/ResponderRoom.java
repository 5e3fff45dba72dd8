package io.parley.loadtest.stomp;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A room of the {@link StompResponder}: positions, subscribers and one fault.
 */
final class ResponderRoom {

	private static final int FAULTY_MESSAGE = 3;

	private final Fault fault;

	private final List<ResponderSession> subscribers = new ArrayList<>();

	/**
	 * The events by position, as in the history.
	 */
	private final NavigableMap<Long, Event> history = new TreeMap<>();

	private final Set<String> texts = new HashSet<>();

	private long position = 1L << 40;

	private int messages;

	private int number;

	private record Event(long position, long prev, String json) {

		Map<String, String> headers() {
			return Map.of("position", Long.toString(this.position), "prev", Long.toString(this.prev));
		}

	}

	ResponderRoom(Fault fault) {
		this.fault = fault;
		this.history.put(this.position, new Event(this.position, 0,
				"{\"type\":\"room.created\",\"position\":%d,\"prev\":0}".formatted(this.position)));
	}

	/**
	 * Replays the events after that position, and continues with live events.
	 */
	synchronized void subscribe(ResponderSession session, long after) {
		session.message(Map.of(),
				"{\"type\":\"subscribed\",\"room\":\"r\",\"head\":%d,\"recovered\":true}".formatted(this.position));
		if (this.fault != Fault.NO_REPLAY) {
			this.history.tailMap(after, false)
				.values()
				.forEach((event) -> session.message(event.headers(), event.json()));
		}
		this.subscribers.add(session);
	}

	/**
	 * Returns a page of history in the format of the REST API.
	 */
	synchronized String page(long after) {
		return "{\"events\":["
				+ this.history.tailMap(after, false).values().stream().map(Event::json).collect(Collectors.joining(","))
				+ "]}";
	}

	synchronized void unsubscribe(ResponderSession session) {
		this.subscribers.remove(session);
	}

	/**
	 * Delivers a message unless it is a repetition.
	 * @return whether it is to be confirmed
	 */
	synchronized boolean publish(String clientId, String text) {
		if (!this.texts.add(text)) {
			return true;
		}
		this.messages++;
		boolean faulty = this.messages == FAULTY_MESSAGE;
		append(clientId, text, faulty);
		if (faulty && this.fault == Fault.APPEND_TWICE) {
			append(clientId, text, false);
		}
		return !(faulty && this.fault == Fault.KEEP_RECEIPT);
	}

	private void append(String clientId, String text, boolean faulty) {
		long prev = this.position;
		this.position += 7;
		String json = ("{\"type\":\"message.posted\",\"position\":%d,\"prev\":%d,\"number\":%d,"
				+ "\"sender\":{\"a\":[1]},\"clientId\":\"%s\",\"text\":\"%s\"}")
			.formatted(this.position, prev, ++this.number, clientId, text);
		Event event = new Event(this.position, prev, json);
		Map<String, String> headers = event.headers();
		if (!faulty || this.fault != Fault.FORGET) {
			this.history.put(this.position, event);
		}
		for (int n = 0; n < this.subscribers.size(); n++) {
			ResponderSession subscriber = this.subscribers.get(n);
			Fault now = (faulty && n == 0) ? this.fault : Fault.NONE;
			switch (now) {
				case LOSE -> {
				}
				case DOUBLE -> {
					subscriber.message(headers, json);
					subscriber.message(headers, json);
				}
				case TELL_A_GAP -> subscriber.message(Map.of(),
						"{\"type\":\"gap\",\"after\":%d,\"head\":%d}".formatted(prev, this.position));
				case REORDER -> subscriber.messageAfterNext(headers, json);
				case CLOSE -> subscriber.close();
				default -> subscriber.message(headers, json);
			}
		}
	}

}
