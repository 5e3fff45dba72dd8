package io.parley.loadtest.life;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.Waiting;
import io.parley.loadtest.life.RoomFeed.Event;
import io.parley.loadtest.stomp.EventBody;
import io.parley.loadtest.user.RestApi.Tokens;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The rooms of one user, like the room store of the page: follows them, loads the list
 * and the newest page, and sends read markers of the open room. Safe for use by many
 * threads. The methods with tokens block for requests.
 */
final class UserRooms {

	/** So many rooms are followed live. */
	private static final int FOLLOWED = 60;

	/** The page loads the list again after this time. */
	private static final Duration RELOAD = Duration.ofSeconds(3);

	private static final Duration AGAIN = Duration.ofSeconds(2);

	private final LifeContext life;

	private final LifeUser user;

	private final CatchUp catchUp;

	private final Map<String, RoomFeed> feeds = new LinkedHashMap<>();

	private final Map<String, String> kinds = new HashMap<>();

	private final OpenRoom open;

	private boolean listed;

	/**
	 * Creates the rooms of a user.
	 * @param looking whether the user looks at the open room, and so reads it
	 */
	UserRooms(LifeContext life, LifeUser user, boolean looking) {
		this.life = life;
		this.user = user;
		this.catchUp = new CatchUp(life);
		this.open = new OpenRoom(life, looking);
	}

	/**
	 * Subscribes again on a new connection.
	 */
	synchronized void resume(LifeSession session) {
		session.begin();
		this.feeds.forEach((room, feed) -> session.follow(room, feed.resume()));
	}

	/**
	 * Loads the list, follows new rooms, and loads the details of the open room.
	 */
	void load(Tokens tokens) {
		JsonNode list = this.life.rest.rooms(tokens).orElse(null);
		LifeSession session = this.user.session();
		while (list == null && session != null && session.isConnected() && !Interrupt.requested()) {
			Waiting.pass(RELOAD);
			list = this.life.rest.rooms(tokens).orElse(null);
		}
		if (list == null) {
			return;
		}
		adopt(list);
		String shown = this.open.room();
		if (shown != null) {
			this.life.rest.details(tokens, shown);
		}
		else {
			open(tokens, busyRoom());
		}
		this.user.progressed();
	}

	private synchronized void adopt(JsonNode list) {
		Set<String> ids = new HashSet<>();
		for (JsonNode item : list) {
			String room = item.path("id").asString();
			ids.add(room);
			this.kinds.put(room, item.path("kind").asString());
			long head = item.path("head").asLong();
			if (this.feeds.size() < FOLLOWED) {
				follow(room, (head > 0) ? head : null, item.path("read").asLong());
			}
		}
		List.copyOf(this.feeds.keySet()).stream().filter((room) -> !ids.contains(room)).forEach(this::removed);
		this.listed = true;
	}

	private void follow(String room, @Nullable Long head, long read) {
		if (!this.feeds.containsKey(room)) {
			RoomFeed feed = new RoomFeed(this.life.ledger(room), this.life.measures, head, read);
			this.feeds.put(room, feed);
			this.user.follow(room, feed.resume());
		}
	}

	/**
	 * Subscribes again after a while to what the server has refused to send. The page
	 * does not, and waits for the next connection.
	 * @param topic the room, or the room and what is appended for its signals
	 */
	void refused(String topic) {
		LifeSession session = this.user.session();
		Waiting.pass(AGAIN.plusMillis(ThreadLocalRandom.current().nextLong(AGAIN.toMillis())));
		if (session == null || session != this.user.session()) {
			return;
		}
		boolean signals = topic.endsWith(LifeSession.SIGNALS_TOPIC);
		String room = signals ? topic.substring(0, topic.length() - LifeSession.SIGNALS_TOPIC.length()) : topic;
		RoomFeed feed = feed(room);
		if (feed != null && signals) {
			session.followSignals(room);
		}
		else if (feed != null) {
			session.followEvents(room, feed.after());
		}
	}

	/**
	 * Follows a room that the user was added to.
	 */
	void added(Tokens tokens, String room) {
		JsonNode details = this.life.rest.details(tokens, room).orElse(null);
		if (details != null) {
			synchronized (this) {
				this.kinds.put(room, details.path("kind").asString());
				follow(room, null, 0);
			}
		}
	}

	/**
	 * Forgets a room that the user has left.
	 */
	synchronized void removed(String room) {
		if (this.feeds.remove(room) != null) {
			this.user.unfollow(room);
		}
		this.open.left(room);
	}

	/**
	 * Opens a room: its members, its newest page unless it is loaded, and its read
	 * marker.
	 */
	void open(Tokens tokens, @Nullable String room) {
		RoomFeed feed = (room != null) ? feed(room) : null;
		if (room == null || feed == null) {
			return;
		}
		this.open.open(room);
		this.life.rest.details(tokens, room);
		if (feed.load()) {
			this.life.rest.newest(tokens, room);
		}
		this.open.read(feed);
	}

	OpenRoom open() {
		return this.open;
	}

	/**
	 * Returns one of the rooms, a busy one more often; null when there is none.
	 */
	synchronized @Nullable String busyRoom() {
		double left = this.feeds.keySet().stream().mapToDouble(this.life::weight).sum()
				* ThreadLocalRandom.current().nextDouble();
		String last = null;
		for (String room : this.feeds.keySet()) {
			last = room;
			left -= this.life.weight(room);
			if (left <= 0) {
				return room;
			}
		}
		return last;
	}

	/**
	 * Returns one of the channels that are not open; null when there is none.
	 */
	synchronized @Nullable String channel() {
		List<String> channels = this.feeds.keySet()
			.stream()
			.filter((room) -> "channel".equals(this.kinds.get(room)) && !this.open.is(room))
			.toList();
		return channels.isEmpty() ? null : channels.get(ThreadLocalRandom.current().nextInt(channels.size()));
	}

	/**
	 * Handles a message of the subscription of a room.
	 */
	void received(String room, long position, long prev, EventBody body) {
		RoomFeed feed = feed(room);
		if (feed == null) {
			return;
		}
		boolean fetch = switch (body.type()) {
			case "subscribed" -> feed.subscribed(body.head(), body.recovered());
			case "gap" -> feed.gap(body.head());
			default -> {
				feed.event(Event.of(body.type(), position, prev, body.text(), this.life.run));
				yield false;
			}
		};
		if (fetch) {
			this.user.run((tokens) -> {
				this.catchUp.run(tokens, feed);
				this.user.progressed();
			});
		}
		else {
			this.open.read(feed);
		}
		this.user.progressed();
	}

	private synchronized @Nullable RoomFeed feed(String room) {
		return this.feeds.get(room);
	}

	/**
	 * Returns whether the user follows a room.
	 */
	boolean follows(String room) {
		return feed(room) != null;
	}

	/**
	 * Returns the last position of a room; 0 when it is unknown.
	 */
	long position(String room) {
		RoomFeed feed = feed(room);
		Long position = (feed != null) ? feed.after() : null;
		return (position != null) ? position : 0;
	}

	/**
	 * Returns the position of the newest message of the run in a room; 0 when there is
	 * none.
	 */
	long newestMessage(String room) {
		RoomFeed feed = feed(room);
		return (feed != null) ? feed.newestMessage() : 0;
	}

	/**
	 * Returns whether the list is loaded and all rooms are live.
	 */
	synchronized boolean areLive() {
		return this.listed && this.feeds.values().stream().allMatch(RoomFeed::isLive);
	}

	/**
	 * Returns the number of messages of followed rooms that have not arrived.
	 */
	synchronized long missing() {
		return this.feeds.values().stream().mapToLong(RoomFeed::missing).sum();
	}

}
