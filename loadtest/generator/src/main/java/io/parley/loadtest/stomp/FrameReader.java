package io.parley.loadtest.stomp;

import java.nio.ByteBuffer;
import java.util.List;

import org.springframework.messaging.Message;
import org.springframework.messaging.simp.stomp.StompDecoder;

/**
 * Decodes the bytes of one connection into STOMP frames, across buffer boundaries. Keeps
 * no bytes between whole frames. Not safe for concurrent use.
 */
final class FrameReader {

	private static final StompDecoder DECODER = new StompDecoder();

	private static final byte[] EMPTY = {};

	private byte[] rest = EMPTY;

	/**
	 * Returns the frames that are complete now. A heart-beat is a frame without a
	 * command.
	 */
	List<Message<byte[]>> read(ByteBuffer bytes) {
		ByteBuffer input = (this.rest.length > 0) ? join(bytes) : bytes;
		List<Message<byte[]>> frames = DECODER.decode(input);
		this.rest = input.hasRemaining() ? new byte[input.remaining()] : EMPTY;
		input.get(this.rest);
		return frames;
	}

	/**
	 * Returns whether no incomplete frame is buffered.
	 */
	boolean isBetweenFrames() {
		return this.rest.length == 0;
	}

	private ByteBuffer join(ByteBuffer bytes) {
		return ByteBuffer.allocate(this.rest.length + bytes.remaining()).put(this.rest).put(bytes).flip();
	}

}
