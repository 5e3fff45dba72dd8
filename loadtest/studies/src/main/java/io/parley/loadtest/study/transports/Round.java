package io.parley.loadtest.study.transports;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.study.transports.Outcome.End;

/**
 * One cell on one transport: all clients connect, each sends its messages as fast as its
 * window allows, and the last delivery ends the round.
 */
final class Round {

	private static final AtomicInteger GROUPS = new AtomicInteger();

	private static final Duration STEP = Duration.ofMillis(200);

	private static final long PROGRESS_EVERY = TimeUnit.SECONDS.toNanos(10);

	private final Transport transport;

	private final Cell cell;

	private final Duration limit;

	private final Tally tally;

	private long start = System.nanoTime();

	Round(Transport transport, Cell cell, Duration limit) {
		this.transport = transport;
		this.cell = cell;
		this.limit = limit;
		this.tally = new Tally(cell);
	}

	Outcome run() {
		List<Link> links = List.of();
		List<Thread> senders = new ArrayList<>();
		long connecting = System.nanoTime();
		try {
			this.transport.prepare(this.cell);
			connecting = System.nanoTime();
			links = this.transport.connect(this.cell, "round-" + GROUPS.incrementAndGet(), this.tally);
			long sending = System.nanoTime();
			this.start = sending;
			for (int n = 0; n < links.size(); n++) {
				int client = n;
				Link link = links.get(n);
				senders.add(Thread.ofVirtual().start(() -> send(client, link)));
			}
			End end = await(links);
			long from = (this.cell.experiment() == Experiment.CAPACITY) ? connecting : sending;
			return outcome(end, sending - connecting, System.nanoTime() - from);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return outcome(End.INTERRUPTED, 0, System.nanoTime() - connecting);
		}
		catch (Exception ex) {
			this.tally.failed(describe(ex));
			return outcome(Interrupt.requested() ? End.INTERRUPTED : End.FAILED, 0, System.nanoTime() - connecting);
		}
		finally {
			senders.forEach(Thread::interrupt);
			// Ctrl-C has also ended the server, so closing the links could block for a
			// long time.
			if (!Interrupt.requested()) {
				links.forEach(Round::close);
			}
		}
	}

	private void send(int client, Link link) {
		try {
			for (int sequence = 0; sequence < this.cell.messages(); sequence++) {
				this.tally.awaitWindow(client);
				link.send(sequence);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (Exception ex) {
			this.tally.failed(describe(ex));
		}
	}

	private End await(List<Link> links) throws InterruptedException {
		long progress = System.nanoTime() + PROGRESS_EVERY;
		while (!this.tally.await(STEP)) {
			if (Interrupt.requested()) {
				return End.INTERRUPTED;
			}
			if (isOver()) {
				return End.OUT_OF_TIME;
			}
			if (System.nanoTime() - progress > 0) {
				progress += PROGRESS_EVERY;
				Console.progress(this.transport, this.cell, this.tally.arrived(), System.nanoTime() - this.start);
			}
		}
		while (this.tally.problems().isEmpty() && !links.stream().allMatch(Link::isSettled)) {
			if (isOver()) {
				this.tally.failed("not confirmed by the server");
			}
			TimeUnit.MICROSECONDS.sleep(100);
		}
		boolean interrupted = Interrupt.requested();
		return this.tally.problems().isEmpty() ? End.COMPLETE : (interrupted ? End.INTERRUPTED : End.FAILED);
	}

	private boolean isOver() {
		return System.nanoTime() - this.start > this.limit.toNanos();
	}

	private Outcome outcome(End end, long connectNanos, long nanos) {
		double second = TimeUnit.SECONDS.toNanos(1);
		return new Outcome(this.cell, connectNanos / second, nanos / second, this.tally.arrived(),
				this.tally.problems(), end);
	}

	private static void close(Link link) {
		try {
			link.close();
		}
		catch (Exception ex) {
			// The server has already closed the connection.
		}
	}

	private static String describe(Exception failure) {
		return (failure instanceof RefusedException) ? String.valueOf(failure.getMessage())
				: failure.getClass().getSimpleName() + ": " + failure.getMessage();
	}

}
