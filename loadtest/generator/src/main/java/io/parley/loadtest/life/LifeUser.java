package io.parley.loadtest.life;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.parley.loadtest.stomp.EventBody;
import io.parley.loadtest.stomp.LoadMessage;
import io.parley.loadtest.stomp.StompFrames;
import io.parley.loadtest.user.People.SignedIn;
import io.parley.loadtest.user.RestApi.Tokens;
import org.jspecify.annotations.Nullable;

/**
 * A user with the page open: one connection, which is replaced with back-off when it is
 * lost, tokens, which are refreshed in time, and messages, which are sent again until
 * they are confirmed. Safe for use by many threads.
 */
final class LifeUser {

	private static final long MARKER_DELAY = TimeUnit.MILLISECONDS.toNanos(300);

	private final LifeContext life;

	private final LifeMeasures measures;

	private final String name;

	private final UserRooms rooms;

	private final UserOutbox outbox;

	private final ConnectionTimes times;

	private final UserTokens tokens;

	private volatile @Nullable LifeSession session;

	private volatile @Nullable Own own;

	private long connectAt = Long.MAX_VALUE;

	private boolean live;

	private boolean leaving;

	private boolean loads = true;

	private long markersAt;

	/** A message of the user that was accepted. */
	private record Own(String room, long position) {
	}

	/**
	 * Creates a user who is not connected.
	 * @param looking whether the user looks at the open room
	 */
	LifeUser(LifeContext life, SignedIn signedIn, boolean looking) {
		this.life = life;
		this.measures = life.measures;
		this.name = signedIn.person().username();
		this.tokens = new UserTokens(signedIn.tokens());
		this.rooms = new UserRooms(life, this, looking);
		this.outbox = new UserOutbox(life);
		this.times = new ConnectionTimes(life.measures);
	}

	UserRooms rooms() {
		return this.rooms;
	}

	/**
	 * Runs requests of this user on a thread of their own.
	 */
	void run(Consumer<Tokens> requests) {
		this.life.threads.execute(() -> requests.accept(this.tokens.current()));
	}

	/**
	 * Connects now.
	 */
	synchronized void connect() {
		this.connectAt = System.nanoTime();
		tick(this.connectAt);
	}

	/**
	 * Connects when it is time, sends heart-beats, read markers and messages that are
	 * due, and refreshes the tokens. Must be called often.
	 */
	synchronized void tick(long now) {
		LifeSession current = this.session;
		if (current == null && !this.leaving && now - this.connectAt >= 0 && this.connectAt != Long.MAX_VALUE) {
			LifeSession next = new LifeSession(this, this.measures, this.tokens.current().accessToken());
			this.session = next;
			this.times.opened(now);
			this.life.connector.open(next);
		}
		else if (current != null) {
			current.tick(now);
			sendDue(current, now);
		}
		if (this.tokens.takeDue(now)) {
			run(this::refresh);
		}
	}

	private void sendDue(LifeSession current, long now) {
		if (this.live) {
			this.outbox.sendAgain(current, now);
		}
		if (now - this.markersAt > MARKER_DELAY) {
			this.markersAt = now;
			this.rooms.open().takeMarkers().forEach(this::mark);
		}
	}

	private void refresh(Tokens old) {
		this.life.rest.refresh(old).ifPresent((next) -> {
			this.tokens.replace(next);
			send(StompFrames.sendJson("/app/token", "{\"accessToken\":\"" + next.accessToken() + "\"}"));
		});
	}

	private void send(byte[] frame) {
		LifeSession current = this.session;
		if (current != null) {
			current.send(frame);
		}
	}

	@Nullable LifeSession session() {
		return this.session;
	}

	void follow(String room, @Nullable Long after) {
		LifeSession current = this.session;
		if (current != null) {
			current.follow(room, after);
		}
	}

	void unfollow(String room) {
		LifeSession current = this.session;
		if (current != null) {
			current.unfollow(room);
		}
	}

	/**
	 * Sends a read marker.
	 */
	void mark(String room, long position) {
		this.measures.reads.increment();
		send(StompFrames.sendJson("/app/rooms." + room + ".read", "{\"position\":" + position + "}"));
	}

	void type(String room) {
		this.measures.typings.increment();
		send(StompFrames.sendJson("/app/rooms." + room + ".typing", "{}"));
	}

	/**
	 * Sends a message, again until it is confirmed.
	 */
	void send(String room, LoadMessage message) {
		this.outbox.send(this.session, room, 0, message);
	}

	/**
	 * Sends a reply in the thread of the newest message of the room, or a message when
	 * the user knows none.
	 */
	void reply(String room, LoadMessage message) {
		long thread = this.rooms.newestMessage(room);
		if (thread > 0) {
			this.measures.replies.increment();
		}
		this.outbox.send(this.session, room, thread, message);
	}

	/**
	 * Gives a reaction to the newest message of a room, or takes it back.
	 */
	void react(String room, String key, boolean on) {
		long target = this.rooms.newestMessage(room);
		if (target > 0) {
			this.measures.reactions.increment();
			send(StompFrames.react(room, target, key, on));
		}
	}

	/**
	 * Edits the user's own last message, unless the user has left its room.
	 */
	void edit() {
		Own last = this.own;
		if (last != null && this.rooms.follows(last.room)) {
			this.measures.edits.increment();
			send(StompFrames.sendJson("/app/rooms." + last.room + ".edit",
					"{\"clientId\":\"e%d\",\"target\":%d,\"text\":\"edited\"}".formatted(System.nanoTime(),
							last.position)));
		}
	}

	/**
	 * Deletes the user's own last message, unless the user has left its room.
	 */
	void delete() {
		Own last = this.own;
		if (last != null && this.rooms.follows(last.room)) {
			this.own = null;
			this.measures.deletions.increment();
			send(StompFrames.sendJson("/app/rooms." + last.room + ".delete",
					"{\"target\":%d}".formatted(last.position)));
		}
	}

	UserOutbox outbox() {
		return this.outbox;
	}

	/**
	 * Handles an event for this user or this session.
	 */
	void ownEvent(EventBody event) {
		switch (event.type()) {
			case "room.added" -> run((current) -> this.rooms.added(current, event.room()));
			case "room.removed" -> this.rooms.removed(event.room());
			case "accepted" -> {
				// Edits and deletions have other client ids.
				if (event.clientId().startsWith(this.life.run + "-")) {
					this.own = new Own(event.room(), event.position());
				}
			}
			case "error" -> {
				this.outbox.refused(event);
				if (event.destination().startsWith(LifeSession.TOPIC)) {
					run((current) -> this.rooms.refused(event.destination().substring(LifeSession.TOPIC.length())));
				}
			}
			default -> {
				// The page shows these only.
			}
		}
	}

	synchronized void connected(LifeSession connected) {
		if (connected != this.session) {
			return;
		}
		this.times.connected();
		this.rooms.resume(connected);
		this.outbox.resume(connected);
		if (this.loads) {
			run(this.rooms::load);
		}
	}

	/**
	 * Called when something has arrived: the user may be live now.
	 */
	synchronized void progressed() {
		LifeSession current = this.session;
		if (this.live || current == null || !current.isConnected() || !this.rooms.areLive()) {
			return;
		}
		this.live = true;
		this.measures.all.live.increment();
		this.times.live();
	}

	synchronized boolean isLive() {
		return this.live;
	}

	/**
	 * Cuts the connection, which the user replaces with back-off.
	 * @param storm whether all users lose their connection at this moment
	 */
	synchronized void cut(boolean storm) {
		LifeSession current = this.session;
		if (current != null && this.live) {
			this.measures.all.cut.increment();
			if (storm) {
				this.times.storm();
			}
			current.drop();
			lost();
		}
	}

	/**
	 * Cuts the connection and connects again at once.
	 * @param loads whether the user then loads the list of rooms, like the page
	 */
	synchronized void reconnect(boolean loads) {
		this.loads = loads;
		cut(false);
		connect();
	}

	synchronized void ended(LifeSession ended, @Nullable String reason) {
		if (this.session != ended) {
			return;
		}
		if (reason != null && !this.leaving && !isExpected(ended, reason)) {
			this.measures.all.error(reason);
			if (this.live) {
				this.measures.all.unexpectedCloses.increment();
			}
		}
		lost();
	}

	/**
	 * Returns whether a server that is replaced explains the end of a connection, and
	 * counts it.
	 */
	private boolean isExpected(LifeSession ended, String reason) {
		if (!this.life.rolling) {
			return false;
		}
		if (!ended.wasConnected()) {
			this.measures.failedAttempts.increment();
			return true;
		}
		boolean moved = reason.equals(LifeSession.GOING_AWAY);
		if (moved) {
			this.measures.moved.increment();
		}
		return moved;
	}

	private void lost() {
		this.session = null;
		if (this.live) {
			this.live = false;
			this.measures.all.live.decrement();
			this.times.lost();
		}
		this.connectAt = this.times.nextAttempt();
	}

	/**
	 * Leaves a room that the user may join again. It is unfollowed first, because the
	 * connection may be replaced during the request.
	 */
	boolean leave(Tokens current, String room) {
		this.rooms.removed(room);
		boolean left = this.life.rest.leave(current, room, this.name);
		if (left) {
			this.measures.leaves.increment();
		}
		return left;
	}

	void join(Tokens current, String room) {
		if (this.life.rest.join(current, room, this.name)) {
			this.measures.joins.increment();
		}
	}

	/**
	 * Disconnects for good.
	 */
	synchronized void leave() {
		this.leaving = true;
		LifeSession current = this.session;
		if (current != null) {
			current.leave();
		}
	}

	/**
	 * Returns the number of messages that have not arrived; 0 for a user who is not live.
	 */
	long missing() {
		return isLive() ? this.rooms.missing() : 0;
	}

}
