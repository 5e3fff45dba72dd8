package io.parley.server.delivery;

import java.time.Duration;
import java.util.Map;
import java.util.SequencedMap;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.parley.events.Destination;
import io.parley.server.session.OutboundFrames;
import io.parley.store.presence.PresenceState;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.stereotype.Component;

/**
 * Sends the signals of a room to those who have subscribed to them now. Signals are not
 * stored, have no position, and may be lost.
 */
@Component
public class RoomSignals {

	private final LiveDelivery live;

	private final OutboundFrames outbound;

	private final NodeMessenger messenger;

	private final JsonMapper json;

	/** Users signalled as typing less than a second ago. */
	private final Cache<Writer, Boolean> typing = Caffeine.newBuilder()
		.maximumSize(100_000)
		.expireAfterWrite(Duration.ofSeconds(1))
		.build();

	RoomSignals(LiveDelivery live, OutboundFrames outbound, NodeMessenger messenger, JsonMapper json) {
		this.live = live;
		this.messenger = messenger;
		this.outbound = outbound;
		this.json = json;
	}

	private record Typing(String type, String room, String user) {
	}

	/**
	 * {@code user} and {@code position} are those of the last entry, for clients that do
	 * not know batches.
	 */
	private record Moved(String type, String room, String user, long position, Map<String, Long> positions) {
	}

	private record Writer(String room, String user) {
	}

	/**
	 * A user who is away is online for clients that do not know {@code away}.
	 *
	 * @param away true, or null
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	private record Presence(String type, String room, String user, String state, @Nullable Boolean away) {
	}

	private record SlowMode(String type, String room, int seconds, String by) {
	}

	private record MemberCount(String type, String room, int memberCount) {
	}

	/** Signals that the user is typing, at most once a second for each room and user. */
	public void typing(String room, String user) {
		if (this.typing.asMap().putIfAbsent(new Writer(room, user), true) == null) {
			signal(room, new Typing("typing", room, user));
		}
	}

	/** Signals that the markers of users have moved to their positions. */
	void moved(MarkerSignals.Kind kind, String room, SequencedMap<String, Long> positions) {
		Map.Entry<String, Long> last = positions.lastEntry();
		signal(room, new Moved(kind.wireName(), room, last.getKey(), last.getValue(), positions));
	}

	/** Signals that the user came online, is away, or went offline. */
	void presence(String room, String user, PresenceState state) {
		signal(room, new Presence("presence", room, user, state.isConnected() ? "online" : "offline",
				(state == PresenceState.AWAY) ? true : null));
	}

	/** Signals that the slow mode of the room has changed. */
	void slowMode(String room, int seconds, String by) {
		signal(room, new SlowMode("slow-mode", room, seconds, by));
	}

	/** Signals how many members the room has. */
	void memberCount(String room, int members) {
		signal(room, new MemberCount("member-count", room, members));
	}

	private void signal(String room, Object body) {
		byte[] bytes = this.json.writeValueAsBytes(body);
		if (!this.live.publishSignal(new Destination.SignalsTopic(room), bytes)) {
			deliver(room, bytes);
			this.messenger.broadcast(NodeSignal.Kind.ROOM, room, bytes);
		}
	}

	/** Delivers a signal to the subscribers on this server. */
	void deliver(String room, byte[] body) {
		this.live.deliver(LiveFrame.signal(new Destination.SignalsTopic(room), this.outbound.nextId(), body));
	}

}
