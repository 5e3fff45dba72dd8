package io.parley.loadtest.study.pipeline;

import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.stomp.StompChannel;
import io.parley.loadtest.stomp.StompFrames;
import io.parley.loadtest.user.Account;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/**
 * One end of a pair: connects, stays connected, and reports when the connection is lost.
 */
abstract class PairChannel extends StompChannel {

	private final Account account;

	private final Measures measures;

	private volatile boolean ready;

	private volatile boolean over;

	PairChannel(Account account, Measures measures) {
		this.account = account;
		this.measures = measures;
	}

	/**
	 * Returns whether the channel can start its work.
	 */
	final boolean isReady() {
		return this.ready && !this.over;
	}

	final boolean isOver() {
		return this.over;
	}

	final String room() {
		return this.account.room().id();
	}

	final Measures measures() {
		return this.measures;
	}

	final void ready() {
		this.ready = true;
	}

	/**
	 * Sends a heart-beat if one is due. Called about once a second.
	 */
	final void tick(long now) {
		if (this.ready && !this.over && heartBeat().isDue(now)) {
			write(StompFrames.HEART_BEAT);
		}
	}

	/**
	 * Called when the server has sent CONNECTED.
	 */
	abstract void connected();

	/**
	 * Handles any frame except CONNECTED and ERROR.
	 */
	abstract void frame(StompHeaderAccessor headers, byte[] body);

	final void leave() {
		this.over = true;
		close();
	}

	@Override
	protected final void fail(String error) {
		if (!this.over) {
			this.measures.error(error);
			leave();
		}
	}

	@Override
	protected final boolean opened() {
		write(StompFrames.connect("parley", this.account.token()));
		return true;
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
