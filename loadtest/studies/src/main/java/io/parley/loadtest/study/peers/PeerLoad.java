package io.parley.loadtest.study.peers;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.netty.channel.ChannelOption;
import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.cli.Waiting;
import io.parley.loadtest.idle.TrialRunner.Load;
import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.measure.Latencies;
import io.parley.loadtest.session.Pace;
import io.parley.loadtest.study.peers.wire.Probe;
import io.parley.loadtest.trial.Preconditions;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.WebsocketClientSpec;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;

/**
 * The sessions at one server, which send in turn at a fixed rate. It is the same for each
 * server except for the {@link io.parley.loadtest.study.peers.wire.Wire}.
 */
final class PeerLoad implements AutoCloseable {

	private static final int OPENING_AT_ONCE = 50;

	private static final Duration LONGEST_CONNECT = Duration.ofSeconds(60);

	private static final int CONNECT_MILLIS = 20_000;

	private static final int LARGEST_FRAME = 1024 * 1024;

	private final LoopResources loops = LoopResources.create("peer", Runtime.getRuntime().availableProcessors(), true);

	private final PeersCommand options;

	private final List<PeerSession> sessions;

	/** The number of messages sent to each room. */
	private final int[] sent;

	/** The number of sessions of each room. */
	private final int[] size;

	private Tally tally = new Tally(1);

	private long turn;

	/**
	 * What the clients saw at one rate.
	 *
	 * @param from the start of the measured time, as {@link System#nanoTime()}
	 * @param to its end
	 * @param perSecond deliveries within that time
	 * @param minutes the latency of each minute, or one latency of the whole time
	 * @param lost deliveries that were missing at the end
	 * @param unconfirmed messages that the server had not confirmed at the end; null when
	 * it confirms none
	 * @param cores of the generator
	 * @param problem an error that a session had, or null
	 */
	record Result(long from, long to, double perSecond, List<Latency> minutes, long lost, long doubled, long disordered,
			@Nullable Long unconfirmed, double cores, @Nullable String problem) {

		/**
		 * Returns the latency of the first minute, or of the whole time.
		 */
		Latency latency() {
			return this.minutes.getFirst();
		}

		boolean isWhole() {
			return this.lost == 0 && this.doubled == 0 && this.disordered == 0
					&& (this.unconfirmed == null || this.unconfirmed == 0) && this.problem == null;
		}

	}

	/**
	 * Milliseconds from the scheduled time of a send to a delivery.
	 */
	record Latency(double p50, double p90, double p99, double max) {

		static Latency of(Histogram micros) {
			return new Latency(Latencies.millis(micros, 50), Latencies.millis(micros, 90), Latencies.millis(micros, 99),
					Latencies.millis(micros, 100));
		}

	}

	PeerLoad(PeersCommand options, PeerServer server) {
		Preconditions.checkOpenFiles(options.sessions, Generator.maxOpenFiles());
		this.options = options;
		this.sessions = IntStream.range(0, options.sessions)
			.mapToObj((n) -> new PeerSession(n, options.sessions, options.rooms, server.wires(), this.tally))
			.toList();
		this.sent = new int[options.rooms];
		this.size = new int[options.rooms];
		this.sessions.forEach((session) -> this.size[session.room()]++);
	}

	/**
	 * Connects all sessions and waits until their subscriptions are confirmed.
	 * @throws LoadTestException when one of them fails
	 */
	void connect(PeerServer server) {
		WebsocketClientSpec.Builder spec = WebsocketClientSpec.builder().maxFramePayloadLength(LARGEST_FRAME);
		String subprotocol = server.subprotocol();
		WebsocketClientSpec webSocket = ((subprotocol != null) ? spec.protocols(subprotocol) : spec).build();
		HttpClient client = HttpClient.create(ConnectionProvider.newConnection())
			.runOn(this.loops)
			.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
			.disableRetry(true);
		long end = System.nanoTime() + LONGEST_CONNECT.toNanos();
		for (int n = 0; n < this.sessions.size(); n++) {
			PeerSession session = this.sessions.get(n);
			awaitReady(n - OPENING_AT_ONCE, end);
			client.websocket(webSocket).uri(server.url()).handle((in, out) -> {
				in.withConnection((connection) -> connection.addHandlerLast(session));
				return Mono.<Void>never();
			}).subscribe(null, (failure) -> session.failed("not connected: " + failure.getMessage()));
		}
		awaitReady(this.sessions.size(), end);
	}

	/**
	 * Waits until the first sessions are ready.
	 */
	private void awaitReady(int first, long end) {
		for (int n = 0; n < first; n++) {
			PeerSession session = this.sessions.get(n);
			Waiting.until(Duration.ofNanos(end - System.nanoTime()), Duration.ofMillis(1),
					() -> session.isReady() || !this.tally.errors().isEmpty());
			Interrupt.check();
			if (!session.isReady() || !this.tally.errors().isEmpty()) {
				throw new LoadTestException("%d of %,d sessions were subscribed: %s".formatted(
						this.sessions.stream().filter(PeerSession::isReady).count(), this.sessions.size(),
						this.tally.errors().isEmpty() ? "no answer" : this.tally.errors()));
			}
		}
	}

	/**
	 * Sends at a fixed rate: first the warm-up, then the time that is measured. Then
	 * waits for missing deliveries and confirmations.
	 * @param minutes of which each has a latency of its own
	 */
	Result run(Load load, int minutes) {
		this.tally = new Tally(minutes);
		this.sessions.forEach((session) -> session.count(this.tally));
		Pace pace = Pace.startingNow(load.rate());
		long firstTurn = this.turn;
		long start = pace.start() + load.warmup().toNanos();
		long end = start + load.hold().toNanos();
		this.tally.measureFrom(start);
		long expected = publish(pace, 0, start);
		long before = this.tally.arrivals();
		Generator from = Generator.now();
		expected += publish(pace, firstFrom(pace, start), end);
		Waiting.pass(Duration.ofNanos(end - System.nanoTime()));
		Generator.Use use = from.until(Generator.now());
		long within = this.tally.arrivals() - before;
		long all = expected;
		long confirmed = this.sessions.getFirst().isConfirmed() ? this.turn - firstTurn : 0;
		Waiting.until(load.drain(), () -> this.tally.arrivals() >= all && this.tally.confirmations() >= confirmed);
		// One that arrives again would do so soon after the last one.
		Waiting.pass(Duration.ofMillis(200));
		return new Result(use.from(), use.from() + use.nanos(), use.perSecond(within),
				this.tally.micros().stream().map(Latency::of).toList(), expected - this.tally.arrivals(),
				this.tally.doubles(), this.tally.disorders(),
				(confirmed > 0) ? confirmed - this.tally.confirmations() : null, use.cores(), problem());
	}

	private static long firstFrom(Pace pace, long time) {
		long n = Math.max(0, (long) ((time - pace.start()) * pace.perSecond() / TimeUnit.SECONDS.toNanos(1)) - 1);
		while (pace.intended(n) - time < 0) {
			n++;
		}
		return n;
	}

	/**
	 * Sends each message that is due before a time.
	 * @return how many deliveries they must cause
	 */
	private long publish(Pace pace, long first, long end) {
		long expected = 0;
		for (long n = first; pace.intended(n) - end < 0 && !Interrupt.requested(); n++) {
			long intended = pace.await(n);
			int sender = (int) (this.turn++ % this.sessions.size());
			int room = sender % this.options.rooms;
			this.sessions.get(sender)
				.publish(new Probe(room, sender, this.sent[room]++, intended).text(this.options.bytes));
			expected += this.size[room];
		}
		return expected;
	}

	private @Nullable String problem() {
		long closed = this.sessions.stream().filter(PeerSession::isOver).count();
		return this.tally.errors().isEmpty() ? null
				: "%s (%,d sessions closed)".formatted(this.tally.errors().keySet().iterator().next(), closed);
	}

	@Override
	public void close() {
		this.sessions.forEach(PeerSession::leave);
		this.loops.disposeLater(Duration.ZERO, Duration.ofSeconds(2)).block();
	}

}
