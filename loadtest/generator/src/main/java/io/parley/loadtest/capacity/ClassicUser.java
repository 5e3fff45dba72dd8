package io.parley.loadtest.capacity;

import java.util.concurrent.TimeUnit;

import io.parley.loadtest.stomp.StompChannel;
import io.parley.loadtest.stomp.StompFrames;
import io.parley.loadtest.user.Account;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/**
 * One user of the classic test: seven timed steps. The first is timed from its intended
 * start. A failed step ends the user.
 */
final class ClassicUser extends StompChannel {

	private static final long LONGEST = TimeUnit.SECONDS.toNanos(30);

	/**
	 * The steps, in order.
	 */
	enum Step {

		OPEN("open WebSocket"), CONNECT("CONNECT"), READ_CONNECTED("read CONNECTED"), SUBSCRIBE("SUBSCRIBE"),
		READ_RECEIPT("read RECEIPT"), DISCONNECT("DISCONNECT"), CLOSE("close");

		private final String label;

		Step(String label) {
			this.label = label;
		}

		String label() {
			return this.label;
		}

	}

	private final Account account;

	private final ClassicLevel level;

	private final long intended;

	private long begun;

	private volatile Step step = Step.OPEN;

	private boolean over;

	ClassicUser(Account account, ClassicLevel level, long intended) {
		this.account = account;
		this.level = level;
		this.intended = intended;
		this.begun = intended;
	}

	/**
	 * Fails the user when it has exceeded its time limit. Called about once a second.
	 */
	void tick(long now) {
		if (now - this.intended > LONGEST) {
			fail("not over after 30 s");
		}
	}

	@Override
	protected boolean opened() {
		next(Step.OPEN, Step.CONNECT);
		write(StompFrames.connect("parley", this.account.token()), () -> next(Step.CONNECT, Step.READ_CONNECTED));
		return !isOver();
	}

	@Override
	protected void received(StompHeaderAccessor headers, byte[] body) {
		switch (headers.getCommand()) {
			case CONNECTED -> {
				next(Step.READ_CONNECTED, Step.SUBSCRIBE);
				write(StompFrames.subscribe(this.account.room().id(), null),
						() -> next(Step.SUBSCRIBE, Step.READ_RECEIPT));
			}
			case RECEIPT -> receipt(headers.getReceiptId());
			case MESSAGE -> {
				// The "subscribed" event comes before the receipt; no messages are sent.
			}
			case ERROR -> fail("STOMP ERROR: " + headers.getMessage());
			case null, default -> fail("unexpected frame " + headers.getCommand());
		}
	}

	private void receipt(@Nullable String id) {
		if (StompFrames.SUBSCRIBED.equals(id)) {
			next(Step.READ_RECEIPT, Step.DISCONNECT);
			write(StompFrames.disconnect());
		}
		else if (StompFrames.DISCONNECTED.equals(id)) {
			next(Step.DISCONNECT, Step.CLOSE);
			sendClose();
		}
		else {
			fail("unknown receipt");
		}
	}

	/**
	 * Completes a step and starts the next one. A step that is completed out of order is
	 * a failure.
	 */
	private void next(Step done, Step next) {
		if (this.step != done) {
			fail(done.label() + " came out of order");
		}
		else if (!isOver()) {
			long now = System.nanoTime();
			this.level.done(done, now - this.begun);
			this.begun = now;
			this.step = next;
		}
	}

	@Override
	protected void fail(String error) {
		if (end()) {
			this.level.failed(this.step, error);
			close();
		}
	}

	@Override
	protected void closed(int code) {
		if (this.step != Step.CLOSE) {
			fail("closed by the server with " + code);
		}
		else if (end()) {
			this.level.done(Step.CLOSE, System.nanoTime() - this.begun);
			this.level.over();
		}
	}

	private synchronized boolean isOver() {
		return this.over;
	}

	private synchronized boolean end() {
		boolean first = !this.over;
		this.over = true;
		return first;
	}

}
