package io.parley.server.delivery;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.BiConsumer;

import io.parley.log.RoomLog;
import io.parley.log.SignalBus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Sends signals to the other chat-servers, for the sessions there that they concern.
 * Delivery is at most once: data that must not be lost goes through the log.
 */
@Component
class NodeMessenger implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(NodeMessenger.class);

	private final SignalBus bus;

	private final Map<Kind, BiConsumer<String, byte[]>> listeners = new EnumMap<>(Kind.class);

	private volatile boolean running;

	NodeMessenger(RoomLog log) {
		this.bus = log.signals();
	}

	/** The recipients of a signal. The ordinal is sent over the wire. */
	enum Kind {

		/** The subscribers to the signals of a room. */
		ROOM,

		/** All sessions of a user. */
		USER,

		/** The sessions of a user who is no longer a member of a room. */
		REMOVED,

		/** The writers in a direct room in which a block was set or removed. */
		BLOCKED

	}

	/** Sets the listener for a kind of signal. Must be called before the start. */
	void on(Kind kind, BiConsumer<String, byte[]> listener) {
		this.listeners.put(kind, listener);
	}

	/**
	 * Sends a signal to all other servers. Does not wait.
	 * @param key the room or the user
	 */
	void broadcast(Kind kind, String key, byte[] json) {
		byte[] name = key.getBytes(StandardCharsets.UTF_8);
		this.bus.publish(ByteBuffer.allocate(1 + 2 + name.length + json.length)
			.put((byte) kind.ordinal())
			.putShort((short) name.length)
			.put(name)
			.put(json)
			.array());
	}

	private void receive(byte[] signal) {
		try {
			ByteBuffer buffer = ByteBuffer.wrap(signal);
			Kind kind = Kind.values()[buffer.get()];
			byte[] name = new byte[buffer.getShort()];
			byte[] json = new byte[buffer.get(name).remaining()];
			buffer.get(json);
			BiConsumer<String, byte[]> listener = this.listeners.get(kind);
			if (listener != null) {
				listener.accept(new String(name, StandardCharsets.UTF_8), json);
			}
		}
		catch (RuntimeException ex) {
			log.debug("Failed to decode a signal from another server; it may run a newer version", ex);
		}
	}

	@Override
	public void start() {
		this.running = true;
		this.bus.listen(this::receive);
	}

	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

}
