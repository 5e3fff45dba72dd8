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
 * The other chat-servers: what is told here reaches those of their sessions that it
 * concerns, at most once. What must not be lost goes through the log instead.
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

	/** Whom a signal concerns; the ordinal is what goes over the wire. */
	enum Kind {

		/** Those who listen to the signals of a room. */
		ROOM,

		/** All sessions of a user. */
		USER,

		/** The sessions of a user who is no member of a room any more. */
		REMOVED,

		/** Those who write in a direct room, where a block was set or ended. */
		BLOCKED

	}

	/** To be called before the start: what to do with signals of a kind. */
	void on(Kind kind, BiConsumer<String, byte[]> listener) {
		this.listeners.put(kind, listener);
	}

	/**
	 * Tells all other servers. Does not wait.
	 * @param key the room or the user
	 */
	void tell(Kind kind, String key, byte[] json) {
		byte[] name = key.getBytes(StandardCharsets.UTF_8);
		this.bus.publish(ByteBuffer.allocate(1 + 2 + name.length + json.length)
			.put((byte) kind.ordinal())
			.putShort((short) name.length)
			.put(name)
			.put(json)
			.array());
	}

	private void hear(byte[] signal) {
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
			log.debug("A signal of another server was not understood; it may be of a newer version", ex);
		}
	}

	@Override
	public void start() {
		this.running = true;
		this.bus.listen(this::hear);
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
