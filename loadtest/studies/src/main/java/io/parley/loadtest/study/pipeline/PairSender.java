package io.parley.loadtest.study.pipeline;

import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.stomp.LoadMessage;
import io.parley.loadtest.stomp.StompFrames;
import io.parley.loadtest.study.client.RoomChannel;
import io.parley.loadtest.study.pipeline.PairLedger.Step;
import io.parley.loadtest.user.Account;

import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/**
 * Sends as fast as the server confirms: at most a window of messages is without its
 * RECEIPT.
 */
final class PairSender extends RoomChannel {

	private final String run;

	private final PairLedger ledger;

	private final int window;

	private final long limit;

	private final Measures measures;

	private long next;

	private int inFlight;

	private boolean started;

	/**
	 * Creates a sender.
	 * @param limit the largest number of messages to send; 0 for no limit
	 */
	PairSender(Account account, String run, PairLedger ledger, int window, long limit, Measures measures) {
		super(account.token(), account.room().id());
		this.run = run;
		this.ledger = ledger;
		this.window = window;
		this.limit = (limit > 0) ? limit : Integer.MAX_VALUE;
		this.measures = measures;
	}

	synchronized void start() {
		this.started = true;
		fill();
	}

	/**
	 * Stops sending. Receipts are still handled.
	 */
	synchronized void stop() {
		this.started = false;
	}

	/**
	 * Returns whether all messages have been sent, or the connection has ended.
	 */
	synchronized boolean isDone() {
		return this.next == this.limit || isOver();
	}

	@Override
	protected void connected() {
		ready();
	}

	@Override
	protected void frame(StompHeaderAccessor headers, byte[] body) {
		LoadMessage message = LoadMessage.parse(headers.getReceiptId());
		if (message == null) {
			this.measures.error("unexpected frame " + headers.getCommand());
			return;
		}
		Measures.since(message.intended(), this.measures.accepting);
		if (this.ledger.mark(Step.ACCEPTED, message.sequence())) {
			this.measures.accepted.increment();
		}
		else {
			this.measures.error("a second receipt");
		}
		confirmed();
	}

	private synchronized void confirmed() {
		this.inFlight--;
		fill();
	}

	private void fill() {
		while (this.started && this.inFlight < this.window && this.next < this.limit) {
			this.inFlight++;
			this.measures.sent.increment();
			write(StompFrames.send(room(), new LoadMessage(this.run, this.next++, System.nanoTime())));
		}
	}

	@Override
	protected void failed(String reason) {
		this.measures.error(reason);
	}

}
