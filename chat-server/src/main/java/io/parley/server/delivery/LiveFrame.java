package io.parley.server.delivery;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.micrometer.core.instrument.Counter;
import io.parley.events.Destination;
import io.parley.events.EventType;
import io.parley.events.MemberLeft;
import io.parley.server.session.StompFrames;
import io.parley.server.timeline.PositionedEvent;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * An event or a signal for many subscribers. It is encoded once for each STOMP
 * subscription id in use, when first needed, and all subscriptions with this id share the
 * bytes. Safe for use by many threads.
 */
final class LiveFrame {

	/** In place of prev: no event needs to come before it. */
	private static final long GAP = -1;

	/** The beginning of the JSON of an event with which a member leaves. */
	private static final byte[] LEAVE = ("{\"type\":\"" + EventType.MEMBER_LEFT.wireName() + "\",")
		.getBytes(StandardCharsets.UTF_8);

	private final Destination topic;

	private final long position;

	private final long prev;

	/** The member who leaves the room with this event, or null. */
	private final @Nullable String leaver;

	private final Function<String, byte[]> encoder;

	private final Map<String, byte[]> encoded = new ConcurrentHashMap<>(4);

	private LiveFrame(Destination topic, long position, long prev, @Nullable String leaver,
			Function<String, byte[]> encoder) {
		this.topic = topic;
		this.position = position;
		this.prev = prev;
		this.leaver = leaver;
		this.encoder = encoder;
	}

	/** Creates the frame of an event that this server has read. */
	static LiveFrame event(PositionedEvent event) {
		Destination topic = new Destination.RoomTopic(event.room());
		boolean leave = event.record().type().equals(EventType.MEMBER_LEFT);
		return new LiveFrame(topic, event.position(), event.prev(),
				leave ? ((MemberLeft) event.record().event()).member() : null,
				(subscription) -> StompFrames.event(subscription, topic, event.position(), event.prev(), event.json()));
	}

	/** Creates the frame of an event received with its positions. */
	static LiveFrame event(Destination.RoomTopic topic, long position, long prev, byte[] json) {
		boolean leave = json.length > LEAVE.length && Arrays.equals(json, 0, LEAVE.length, LEAVE, 0, LEAVE.length);
		return new LiveFrame(topic, position, prev, leave ? member(json) : null,
				(subscription) -> StompFrames.event(subscription, topic, position, prev, json));
	}

	private static String member(byte[] json) {
		return JsonMapper.shared().readTree(json).path("member").asString();
	}

	/**
	 * Creates a frame that replaces an event that cannot be read. Subscribers get a gap.
	 */
	static LiveFrame gap(Destination.RoomTopic topic, long position) {
		return new LiveFrame(topic, position, GAP, null, (subscription) -> {
			throw new IllegalStateException("Each subscription creates its own gap frame");
		});
	}

	boolean isGap() {
		return this.prev == GAP;
	}

	/** Creates the frame of a signal, which has no position. */
	static LiveFrame signal(Destination.SignalsTopic topic, String messageId, byte[] json) {
		return new LiveFrame(topic, 0, 0, null,
				(subscription) -> StompFrames.message(subscription, topic, messageId, json));
	}

	/**
	 * Returns a copy that counts each encoding: a frame is encoded only when a session
	 * needs it.
	 */
	LiveFrame countingUse(Counter uses) {
		return new LiveFrame(this.topic, this.position, this.prev, this.leaver, (subscription) -> {
			uses.increment();
			return this.encoder.apply(subscription);
		});
	}

	/** Returns whether a user gets no event of the room after this one. */
	boolean isLastFor(String user) {
		return user.equals(this.leaver);
	}

	Destination topic() {
		return this.topic;
	}

	/** Returns the position of the event in its room, or 0 for a signal. */
	long position() {
		return this.position;
	}

	/** Returns the position of the previous event in the room, or 0 if there is none. */
	long prev() {
		return this.prev;
	}

	/** Returns the encoded frame for a subscription id; must not be changed. */
	byte[] encodedFor(String subscription) {
		byte[] frame = this.encoded.get(subscription);
		return (frame != null) ? frame : this.encoded.computeIfAbsent(subscription, this.encoder);
	}

}
