package io.parley.loadtest.session;

import java.time.Duration;
import java.util.List;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.Waiting;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.stomp.LoadMessage;

/**
 * Sends messages at a constant pace, from each sender in turn.
 */
public final class Publisher {

	private final List<? extends Sender> senders;

	private final String run;

	private final Measures measures;

	private final Duration delay;

	private long sequence;

	private long uncounted = LoadMessage.UNCOUNTED;

	public Publisher(List<? extends Sender> senders, String run, Measures measures) {
		this(senders, run, measures, Duration.ZERO);
	}

	/**
	 * Creates a publisher.
	 * @param delay of the first message, for several publishers that send in turn
	 */
	public Publisher(List<? extends Sender> senders, String run, Measures measures, Duration delay) {
		this.delay = delay;
		this.measures = measures;
		this.senders = senders;
		this.run = run;
	}

	/**
	 * Sends for the given time, then returns.
	 */
	public void publish(double perSecond, Duration length) {
		Pace pace = new Pace(System.nanoTime() + this.delay.toNanos(), perSecond);
		for (long n = 0; isWithin(pace, n, length); n++) {
			long intended = pace.await(n);
			if (Interrupt.requested()) {
				return;
			}
			Measures.since(intended, this.measures.starting);
			sender(n).send(new LoadMessage(this.run, this.sequence++, intended));
		}
	}

	/**
	 * Sends like {@link #publish}, but always lasts for the given time, also when there
	 * is nothing to send.
	 * @param perSecond 0 to send nothing
	 */
	public void holdFor(double perSecond, Duration length) {
		long end = System.nanoTime() + length.toNanos();
		if (perSecond > 0) {
			publish(perSecond, length);
		}
		Waiting.pass(Duration.ofNanos(end - System.nanoTime()));
	}

	/**
	 * Sends messages that are not counted.
	 */
	public void warmUp(double perSecond, Duration length) {
		Pace pace = new Pace(System.nanoTime() + this.delay.toNanos(), perSecond);
		for (long n = 0; isWithin(pace, n, length); n++) {
			sender(n).send(new LoadMessage(this.run, this.uncounted++, pace.await(n)));
		}
	}

	private boolean isWithin(Pace pace, long n, Duration length) {
		return !Interrupt.requested() && pace.intended(n) - pace.start() < length.minus(this.delay).toNanos();
	}

	/**
	 * Adjacent senders belong to different users and rooms, so the load spreads over
	 * both.
	 */
	private Sender sender(long n) {
		return this.senders.get((int) (n % this.senders.size()));
	}

}
