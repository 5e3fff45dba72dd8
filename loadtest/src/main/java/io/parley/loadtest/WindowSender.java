package io.parley.loadtest;

import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/**
 * Sends as fast as the server confirms: never more than a window of messages is without
 * its RECEIPT.
 */
final class WindowSender extends PairChannel {

	private final String run;

	private final PairLedger ledger;

	private final int window;

	private final long most;

	private long next;

	private int inFlight;

	private boolean started;

	/** One that sends so many messages at the most, 0 for without end. */
	WindowSender(Account account, String run, PairLedger ledger, int window, long most, Measures measures) {
		super(account, measures);
		this.run = run;
		this.ledger = ledger;
		this.window = window;
		this.most = (most > 0) ? most : Integer.MAX_VALUE;
	}

	synchronized void start() {
		this.started = true;
		fill();
	}

	/** Sends no more; receipts still come. */
	synchronized void stop() {
		this.started = false;
	}

	/** Whether all that it should send is sent. */
	synchronized boolean isDone() {
		return this.next == this.most || isOver();
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
		while (this.started && this.inFlight < this.window && this.next < this.most) {
			this.inFlight++;
			measures().sent.increment();
			write(StompFrames.send(room(), new LoadMessage(this.run, this.next++, System.nanoTime())));
		}
	}

}
