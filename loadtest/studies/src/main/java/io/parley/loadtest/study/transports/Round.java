package io.parley.loadtest.study.transports;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.report.Figures;
import io.parley.loadtest.study.transports.Transport.Link;

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

	private final DeliveryCheck check;

	private long start = System.nanoTime();

	/**
	 * The result of a cell.
	 *
	 * @param seconds from the first message to the last delivery or the abort; including
	 * the connection time if the experiment measures it
	 * @param arrived correct deliveries
	 * @param problems failures, with their numbers
	 * @param end how the round ended
	 */
	record Outcome(Cell cell, double seconds, long arrived, Map<String, Integer> problems, End end) {

		/**
		 * How a round ends: with all deliveries, by a failure, at the time limit, or by
		 * Ctrl-C.
		 */
		enum End {

			COMPLETE, FAILED, OUT_OF_TIME, INTERRUPTED

		}

		boolean isComplete() {
			return this.end == End.COMPLETE;
		}

		/**
		 * Returns the seconds of a complete round, or a description of how it ended.
		 */
		Object displayValue() {
			if (isComplete()) {
				return Math.round(this.seconds * 1000) / 1000.0;
			}
			String progress = String.format(Locale.ROOT, "after %.0f s at %,d of %,d", this.seconds, this.arrived,
					this.cell.deliveries());
			return (this.end == End.FAILED) ? "failed " + progress + " " + this.problems : "stopped " + progress;
		}

	}

	Round(Transport transport, Cell cell, Duration limit) {
		this.transport = transport;
		this.cell = cell;
		this.limit = limit;
		this.check = new DeliveryCheck(cell);
	}

	Outcome run() {
		List<Link> links = List.of();
		List<Thread> senders = new ArrayList<>();
		long connecting = System.nanoTime();
		try {
			this.transport.prepare(this.cell);
			String group = "round-" + GROUPS.incrementAndGet();
			List<RoundClient> clients = IntStream.range(0, this.cell.clients())
				.mapToObj((n) -> new RoundClient(this.cell, group, n, this.check))
				.toList();
			connecting = System.nanoTime();
			links = this.transport.connect(clients);
			long sending = System.nanoTime();
			this.start = sending;
			for (int n = 0; n < links.size(); n++) {
				int client = n;
				Link link = links.get(n);
				senders.add(Thread.ofVirtual().start(() -> send(client, link)));
			}
			Outcome.End end = await(links);
			long from = (this.cell.experiment() == Experiment.CAPACITY) ? connecting : sending;
			return outcome(end, from);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return outcome(Outcome.End.INTERRUPTED, connecting);
		}
		catch (Exception ex) {
			this.check.failed(describe(ex));
			return outcome(Interrupt.requested() ? Outcome.End.INTERRUPTED : Outcome.End.FAILED, connecting);
		}
		finally {
			senders.forEach(Thread::interrupt);
			// Ctrl-C has also ended the server, so closing the links could block for a
			// long time.
			if (!Interrupt.requested()) {
				links.forEach(Round::leave);
			}
		}
	}

	private void send(int client, Link link) {
		try {
			for (int sequence = 0; sequence < this.cell.messages(); sequence++) {
				this.check.awaitWindow(client);
				link.send(sequence);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (Exception ex) {
			this.check.failed(describe(ex));
		}
	}

	private Outcome.End await(List<Link> links) throws InterruptedException {
		long progress = System.nanoTime() + PROGRESS_EVERY;
		while (!this.check.await(STEP)) {
			if (Interrupt.requested()) {
				return Outcome.End.INTERRUPTED;
			}
			if (isOver()) {
				return Outcome.End.OUT_OF_TIME;
			}
			if (System.nanoTime() - progress > 0) {
				progress += PROGRESS_EVERY;
				printProgress(this.check.arrived(), (System.nanoTime() - this.start) / 1e9);
			}
		}
		while (this.check.problems().isEmpty() && !links.stream().allMatch(Link::isSettled)) {
			if (isOver()) {
				this.check.failed("not confirmed by the server");
			}
			TimeUnit.MICROSECONDS.sleep(100);
		}
		boolean interrupted = Interrupt.requested();
		return this.check.problems().isEmpty() ? Outcome.End.COMPLETE
				: (interrupted ? Outcome.End.INTERRUPTED : Outcome.End.FAILED);
	}

	private void printProgress(long arrived, double seconds) {
		long all = this.cell.deliveries();
		System.out.printf(Locale.ROOT, "  %-14s %s: %,d of %,d after %.0f s%s%n", this.transport.name(), this.cell,
				arrived, all, seconds, (arrived > 0)
						? ", " + Figures.left(Duration.ofSeconds((long) (seconds * (all - arrived) / arrived))) : "");
	}

	private boolean isOver() {
		return System.nanoTime() - this.start > this.limit.toNanos();
	}

	private Outcome outcome(Outcome.End end, long from) {
		return new Outcome(this.cell, (System.nanoTime() - from) / 1e9, this.check.arrived(), this.check.problems(),
				end);
	}

	private static void leave(Link link) {
		try {
			link.leave();
		}
		catch (Exception ex) {
			// The server has already closed the connection.
		}
	}

	private static String describe(Exception failure) {
		return (failure instanceof LoadTestException) ? String.valueOf(failure.getMessage())
				: failure.getClass().getSimpleName() + ": " + failure.getMessage();
	}

}
