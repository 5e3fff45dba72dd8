package io.parley.events;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A STOMP destination that clients may use. {@link #parse} is the only parser: it rejects
 * everything else before any other code sees it. There are no patterns, no escapes, and
 * no slashes after the prefix.
 */
public sealed interface Destination {

	/** {@code /topic/rooms.{room}}: the events of a room. */
	record RoomTopic(String room) implements Destination {

		@Override
		public String toString() {
			return "/topic/rooms." + this.room;
		}

	}

	/** {@code /topic/rooms.{room}.signals}: typing, presence, read markers. */
	record SignalsTopic(String room) implements Destination {

		@Override
		public String toString() {
			return "/topic/rooms." + this.room + ".signals";
		}

	}

	/**
	 * {@code /user/queue/events}: events that concern this user, on all of the user's
	 * devices.
	 */
	record UserEvents() implements Destination {

		@Override
		public String toString() {
			return "/user/queue/events";
		}

	}

	/** {@code /app/rooms.{room}.{action}}. */
	record RoomAction(String room, Action action) implements Destination {

		@Override
		public String toString() {
			return "/app/rooms." + this.room + "." + this.action.name().toLowerCase(java.util.Locale.ROOT);
		}

	}

	/** {@code /app/token}: a new access token for the live session. */
	record TokenRefresh() implements Destination {

		@Override
		public String toString() {
			return "/app/token";
		}

	}

	/** {@code /app/presence}: whether the user of the session is away. */
	record OwnPresence() implements Destination {

		@Override
		public String toString() {
			return "/app/presence";
		}

	}

	/** The actions of a client in a room. */
	enum Action {

		SEND, EDIT, DELETE, REACT, PIN, TYPING, READ, DELIVERED;

		/** Returns whether the action appends a message, or a change of one. */
		public boolean isMessage() {
			return this == SEND || this == EDIT || this == DELETE || this == REACT || this == PIN;
		}

	}

	/** Returns the destination, or null if clients may not use it. */
	static @Nullable Destination parse(@Nullable String destination) {
		return (destination != null) ? Grammar.parse(destination) : null;
	}

	/** Keeps the patterns out of the public interface. */
	final class Grammar {

		private static final Pattern TOPIC = Pattern.compile("/topic/rooms\\.([A-Za-z0-9_-]{1,64})(\\.signals)?");

		private static final Pattern APP = Pattern
			.compile("/app/rooms\\.([A-Za-z0-9_-]{1,64})\\.(send|edit|delete|react|pin|typing|read|delivered)");

		private Grammar() {
		}

		private static @Nullable Destination parse(String destination) {
			return switch (destination) {
				case "/user/queue/events" -> new UserEvents();
				case "/app/token" -> new TokenRefresh();
				case "/app/presence" -> new OwnPresence();
				default -> parseRoom(destination);
			};
		}

		private static @Nullable Destination parseRoom(String destination) {
			Matcher topic = TOPIC.matcher(destination);
			if (topic.matches()) {
				return (topic.group(2) != null) ? new SignalsTopic(topic.group(1)) : new RoomTopic(topic.group(1));
			}
			Matcher app = APP.matcher(destination);
			if (app.matches()) {
				return new RoomAction(app.group(1), Action.valueOf(app.group(2).toUpperCase(java.util.Locale.ROOT)));
			}
			return null;
		}

	}

}
