package io.parley.server.delivery;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.micrometer.core.instrument.Counter;
import io.parley.events.Destination;
import io.parley.server.timeline.PositionedEvent;
import io.parley.server.session.StompFrames;

/**
 * An event or a signal on its way to many subscribers. It is encoded once for each STOMP
 * subscription id, when somebody here has subscribed, and the bytes are shared by all who
 * chose the same. Safe for use by many threads.
 */
final class LiveFrame {

	/** In place of prev: nothing needs to come before it. */
	private static final long GAP = -1;

	private final Destination topic;

	private final long position;

	private final long prev;

	private final Function<String, byte[]> encoder;

	private final Map<String, byte[]> encoded = new ConcurrentHashMap<>(4);

	private LiveFrame(Destination topic, long position, long prev, Function<String, byte[]> encoder) {
		this.topic = topic;
		this.position = position;
		this.prev = prev;
		this.encoder = encoder;
	}

	/** An event that this server has read. */
	static LiveFrame event(PositionedEvent event) {
		Destination topic = new Destination.RoomTopic(event.room());
		return new LiveFrame(topic, event.position(), event.prev(),
				(subscription) -> StompFrames.event(subscription, topic, event.position(), event.prev(), event.json()));
	}

	/** An event that comes with its place. */
	static LiveFrame event(Destination.RoomTopic topic, long position, long prev, byte[] json) {
		return new LiveFrame(topic, position, prev,
				(subscription) -> StompFrames.event(subscription, topic, position, prev, json));
	}

	/** Stands for an event that cannot be read: subscribers are told of a gap. */
	static LiveFrame gap(Destination.RoomTopic topic, long position) {
		return new LiveFrame(topic, position, GAP, (subscription) -> {
			throw new IllegalStateException("A gap is told by each subscription itself");
		});
	}

	boolean isGap() {
		return this.prev == GAP;
	}

	/** A signal, which has no place. */
	static LiveFrame signal(Destination.SignalsTopic topic, String messageId, byte[] json) {
		return new LiveFrame(topic, 0, 0, (subscription) -> StompFrames.message(subscription, topic, messageId, json));
	}

	/** The same, telling when it is encoded: that is when somebody needs it. */
	LiveFrame counted(Counter needed) {
		return new LiveFrame(this.topic, this.position, this.prev, (subscription) -> {
			needed.increment();
			return this.encoder.apply(subscription);
		});
	}

	Destination topic() {
		return this.topic;
	}

	/** The place of the event in its room, 0 for a signal. */
	long position() {
		return this.position;
	}

	/** The place of the event before it in the room, 0 for none. */
	long prev() {
		return this.prev;
	}

	/** What goes over the wire to a subscription of that id; not to be changed. */
	byte[] to(String subscription) {
		byte[] frame = this.encoded.get(subscription);
		return (frame != null) ? frame : this.encoded.computeIfAbsent(subscription, this.encoder);
	}

}
