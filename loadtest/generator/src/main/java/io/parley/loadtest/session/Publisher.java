package io.parley.loadtest.session;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.Waiting;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.stomp.LoadMessage;

/**
 * Sends messages at a constant pace or at random times, from each sender in turn.
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
			send(n, pace.await(n));
		}
	}

	private void send(long n, long intended) {
		if (!Interrupt.requested()) {
			Measures.since(intended, this.measures.starting);
			sender(n).send(new LoadMessage(this.run, this.sequence++, intended));
		}
	}

	/**
	 * Sends at random times, as people do, for the given time. Messages at a constant
	 * pace never meet each other, so that anything else in the room would delay more of
	 * them than one more message does.
	 * @param perSecond on average
	 * @param seed the same seed gives the same times
	 */
	public void holdAtRandom(double perSecond, Duration length, long seed) {
		SplittableRandom random = new SplittableRandom(seed);
		long start = System.nanoTime();
		double at = random.nextExponential() / perSecond;
		for (long n = 0; at * 1e9 < length.toNanos() && !Interrupt.requested(); n++) {
			send(n, Pace.awaitTime(start + (long) (at * 1e9)));
			at += random.nextExponential() / perSecond;
		}
		Waiting.pass(Duration.ofNanos(start + length.toNanos() - System.nanoTime()));
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
