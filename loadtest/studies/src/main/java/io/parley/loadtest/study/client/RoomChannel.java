package io.parley.loadtest.study.client;

import io.parley.loadtest.stomp.StompChannel;
import io.parley.loadtest.stomp.StompFrames;

import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/**
 * A connection of a user for one room: connects, sends heart-beats, and ends once, when
 * it leaves or fails. The abstract methods are called on its event loop.
 */
public abstract class RoomChannel extends StompChannel {

	private final String token;

	private final String room;

	private volatile boolean ready;

	private volatile boolean over;

	protected RoomChannel(String token, String room) {
		this.token = token;
		this.room = room;
	}

	/**
	 * Called when the server has sent CONNECTED.
	 */
	protected abstract void connected();

	/**
	 * Handles any frame except CONNECTED and ERROR.
	 */
	protected abstract void frame(StompHeaderAccessor headers, byte[] body);

	/**
	 * Called once, when the connection has failed.
	 */
	protected abstract void failed(String reason);

	protected void leaving() {
	}

	protected final String room() {
		return this.room;
	}

	protected final void ready() {
		this.ready = true;
	}

	/**
	 * Returns whether the channel has become ready for its work.
	 */
	public final boolean isReady() {
		return this.ready;
	}

	public final boolean isOver() {
		return this.over;
	}

	/**
	 * Sends a heart-beat if one is due. Called about once a second.
	 */
	public void tick(long now) {
		if (this.ready && !this.over && heartBeat().isDue(now)) {
			write(StompFrames.HEART_BEAT);
		}
	}

	/**
	 * Closes the connection. Its end is then no failure.
	 */
	public final void leave() {
		this.over = true;
		leaving();
		close();
	}

	@Override
	protected final void fail(String reason) {
		if (!this.over) {
			// A thread that sees that it is over also sees the reason.
			failed(reason);
			this.over = true;
			close();
		}
	}

	@Override
	protected final boolean opened() {
		if (!this.over) {
			write(StompFrames.connect("parley", this.token));
		}
		return !this.over;
	}

	@Override
	protected final void received(StompHeaderAccessor headers, byte[] body) {
		switch (headers.getCommand()) {
			case CONNECTED -> {
				heartBeat().agree(headers.getHeartbeat());
				connected();
			}
			case ERROR -> fail("STOMP ERROR: " + headers.getMessage());
			case null, default -> frame(headers, body);
		}
	}

	@Override
	protected final void closed(int code) {
		fail("closed by the server with " + code);
	}

}
