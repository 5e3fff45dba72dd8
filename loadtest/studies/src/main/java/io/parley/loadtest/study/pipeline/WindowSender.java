package io.parley.loadtest.study.pipeline;

import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.stomp.LoadMessage;
import io.parley.loadtest.stomp.StompFrames;
import io.parley.loadtest.user.Account;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/**
 * Sends as fast as the server confirms: at most a window of messages is without its
 * RECEIPT.
 */
final class WindowSender extends PairChannel {

	private final String run;

	private final PairLedger ledger;

	private final int window;

	private final long limit;

	private long next;

	private int inFlight;

	private boolean started;

	/**
	 * Creates a sender.
	 * @param limit the largest number of messages to send; 0 for no limit
	 */
	WindowSender(Account account, String run, PairLedger ledger, int window, long limit, Measures measures) {
		super(account, measures);
		this.run = run;
		this.ledger = ledger;
		this.window = window;
		this.limit = (limit > 0) ? limit : Integer.MAX_VALUE;
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
	void connected() {
		ready();
	}

	@Override
	void frame(StompHeaderAccessor headers, byte[] body) {
		LoadMessage message = LoadMessage.parse(headers.getReceiptId());
		if (message == null) {
			measures().error("unexpected frame " + headers.getCommand());
			return;
		}
		Measures.since(message.intended(), measures().accepting);
		if (this.ledger.accepted(message.sequence())) {
			measures().accepted.increment();
		}
		else {
			measures().error("a second receipt");
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
			measures().sent.increment();
			write(StompFrames.send(room(), new LoadMessage(this.run, this.next++, System.nanoTime())));
		}
	}

}
