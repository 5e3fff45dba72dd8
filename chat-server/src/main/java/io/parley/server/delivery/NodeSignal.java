package io.parley.server.delivery;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A signal from one chat-server to the others.
 *
 * @param key the room or the user
 * @param json must not be changed
 */
record NodeSignal(Kind kind, String key, byte[] json) {

	/** The recipients of a signal. The ordinal is sent over the wire. */
	enum Kind {

		/** The subscribers to the signals of a room. */
		ROOM,

		/** All sessions of a user. */
		USER,

		/** The sessions of a user who is no longer a member of a room. */
		REMOVED,

		/** The writers in a direct room in which a block was set or removed. */
		BLOCKED,

		/** The sessions of a user whose sign-in has ended. */
		SIGNED_OUT,

		/** A member of a room who is new, or has another role or mute. */
		MEMBER,

		/** The members of a room with other settings. */
		ROOM_SETTINGS

	}

	byte[] encode() {
		byte[] name = this.key.getBytes(StandardCharsets.UTF_8);
		return ByteBuffer.allocate(1 + 2 + name.length + this.json.length)
			.put((byte) this.kind.ordinal())
			.putShort((short) name.length)
			.put(name)
			.put(this.json)
			.array();
	}

	/**
	 * Decodes a signal.
	 * @throws RuntimeException if this build does not know its format or kind
	 */
	static NodeSignal decode(byte[] signal) {
		ByteBuffer buffer = ByteBuffer.wrap(signal);
		Kind kind = Kind.values()[buffer.get()];
		byte[] name = new byte[buffer.getShort()];
		byte[] json = new byte[buffer.get(name).remaining()];
		buffer.get(json);
		return new NodeSignal(kind, new String(name, StandardCharsets.UTF_8), json);
	}

}
