package io.parley.loadtest.life;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.parley.loadtest.cli.Waiting;
import io.parley.loadtest.life.RoomFeed.Event;
import io.parley.loadtest.user.RestApi.Tokens;
import tools.jackson.databind.JsonNode;

/**
 * Fetches the events that the server did not replay from the history, like the page:
 * after the last position, or only the newest page when too many are missing.
 *
 * @param life what all users share
 */
record CatchUp(LifeContext life) {

	private static final int PAGE = 100;

	/**
	 * A user further behind than this many events restarts from the newest page.
	 */
	private static final int MOST = 500;

	private static final int MAX_RETRIES = 6;

	private static final long PAUSE_MILLIS = 150;

	/**
	 * Fetches until the feed has reached its target. Blocks for requests.
	 */
	void run(Tokens tokens, RoomFeed feed) {
		int connection = feed.connection();
		boolean reached = fetch(tokens, feed);
		for (int n = 0; n < MAX_RETRIES && !reached && feed.connection() == connection; n++) {
			Waiting.pass(Duration.ofMillis(PAUSE_MILLIS << n));
			reached = fetch(tokens, feed);
		}
		if (!reached && feed.connection() == connection) {
			this.life.measures.all.error("the history does not reach the head of the room");
		}
		feed.fetched(connection);
	}

	private boolean fetch(Tokens tokens, RoomFeed feed) {
		for (int fetched = 0; fetched < MOST; fetched += PAGE) {
			Long after = feed.after();
			if (after == null) {
				return restart(tokens, feed);
			}
			List<Event> page = events(this.life.rest.after(tokens, feed.room(), after, PAGE));
			if (feed.filled(page) || page.size() < PAGE) {
				return feed.filled(List.of());
			}
		}
		return restart(tokens, feed);
	}

	private boolean restart(Tokens tokens, RoomFeed feed) {
		Optional<JsonNode> newest = this.life.rest.newest(tokens, feed.room(), PAGE);
		if (newest.isEmpty()) {
			return false;
		}
		List<Event> page = events(newest.map((answer) -> answer.path("events")));
		feed.restarted(page.isEmpty() ? 0 : page.getLast().position());
		return feed.filled(List.of());
	}

	private List<Event> events(Optional<JsonNode> page) {
		List<Event> events = new ArrayList<>();
		page.ifPresent((all) -> all
			.forEach((event) -> events.add(Event.of(event.path("type").asString(), event.path("position").asLong(),
					event.path("prev").asLong(), event.path("text").asString(""), this.life.run))));
		return events;
	}

}
