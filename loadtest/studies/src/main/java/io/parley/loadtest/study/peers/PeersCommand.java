package io.parley.loadtest.study.peers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.parley.loadtest.cli.DurationConverter;
import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.cli.Waiting;
import io.parley.loadtest.idle.TrialRunner.Load;
import io.parley.loadtest.study.Findings;
import io.parley.loadtest.study.LoadOptions;
import io.parley.loadtest.study.Resources;
import io.parley.loadtest.study.StudyCommand;
import io.parley.loadtest.study.peers.wire.Probe;
import io.parley.loadtest.study.server.ProcessUsage;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code ./chat loadtest peers}: applies the same load to Parley and to other servers.
 */
@Command(name = "peers",
		description = "Starts Parley, Centrifugo, NATS, Mosquitto, Socket.IO, RabbitMQ and ejabberd, one after the other,"
				+ " and applies the same load to each. Omits those that are not installed.",
		mixinStandardHelpOptions = true, showDefaultValues = false)
public final class PeersCommand extends StudyCommand<Peer> {

	private static final Duration ONE_SAMPLE = Duration.ofSeconds(10);

	private static final Duration GENERATOR_WARMUP = Duration.ofSeconds(5);

	private static final int LONGEST_TEXT = 1000;

	@Option(names = "--sessions", description = "Sessions at each server. Default: ${DEFAULT-VALUE}")
	int sessions = 1000;

	@Option(names = "--rooms", description = "Rooms that they spread over. Default: ${DEFAULT-VALUE}")
	int rooms = 10;

	@Option(names = "--rates", split = ",", description = "Messages a second, one after the other. Default: 100,400")
	List<Double> rates = List.of(100.0, 400.0);

	@Option(names = "--bytes", description = "Length of each message. Default: ${DEFAULT-VALUE}")
	int bytes = 100;

	@Option(names = "--warmup", converter = DurationConverter.class,
			description = "How long to send before each rate is measured. Default: 20s")
	Duration warmup = Duration.ofSeconds(20);

	@Mixin
	final LoadOptions load = new LoadOptions();

	@Option(names = "--minutes",
			description = "Above 1: also start each server again and send the highest rate for so many minutes, without a"
					+ " warm-up; the report compares the first with the last minute. Default: ${DEFAULT-VALUE}")
	int minutes = 1;

	@Option(names = "--only", split = ",",
			description = "Servers, such as parley/bus,nats/core; parley, centrifugo and nats stand for all of their variants. Default: all")
	List<String> only = List.of();

	@Option(names = "--centrifugo", paramLabel = "PATH",
			description = "The program of Centrifugo. Default: centrifugo on PATH")
	String centrifugo = "centrifugo";

	@Option(names = "--nats", paramLabel = "PATH", description = "The program of NATS. Default: nats-server on PATH")
	String nats = "nats-server";

	@Option(names = "--mosquitto", paramLabel = "PATH",
			description = "The program of Mosquitto. Default: mosquitto on PATH, or in /usr/sbin")
	String mosquitto = "mosquitto";

	@Option(names = "--socketio", paramLabel = "DIR",
			description = "The folder in which \"npm install socket.io\" was run. Default: the current one")
	Path socketio = Path.of("");

	@Option(names = "--rabbitmq", paramLabel = "PATH",
			description = "The program of RabbitMQ. Default: ${DEFAULT-VALUE}, which is that of Debian")
	String rabbitmq = "/usr/lib/rabbitmq/bin/rabbitmq-server";

	@Option(names = "--ejabberd", paramLabel = "DIR",
			description = "The folder of Erlang libraries that has ejabberd. Default: that of Debian, in ${DEFAULT-VALUE}")
	Path ejabberd = Path.of("/usr/lib");

	private final PeersReport results = new PeersReport(this);

	@Override
	protected List<Peer> cases() {
		require(this.sessions > 0 && this.rooms > 0 && this.rooms <= this.sessions,
				"--sessions and --rooms must be above 0, and --rooms not above --sessions.");
		require(this.bytes >= Probe.LENGTH && this.bytes <= LONGEST_TEXT,
				"--bytes must be between %d and %d.".formatted(Probe.LENGTH, LONGEST_TEXT));
		require(this.minutes > 0, "--minutes must be above 0.");
		this.rates = this.load.ascending(this.rates);
		return PeerSelection.named(this.only);
	}

	@Override
	protected String name(Peer peer) {
		return peer.name();
	}

	@Override
	protected Duration expected() {
		Duration rates = this.warmup.plus(this.load.hold)
			.plusSeconds(1)
			.multipliedBy(this.rates.size())
			.plusSeconds(15);
		return isLong() ? rates.plusMinutes(this.minutes).plusSeconds(15) : rates;
	}

	/**
	 * Warms up the generator. Without this, the JVM of the generator would compile the
	 * generator at the first server, which would get higher latencies.
	 */
	@Override
	protected void prepare(List<Peer> peers) {
		System.out.printf(
				"%nThe generator warms up: it sends for %d s to each server, which is started for this only.%n",
				GENERATOR_WARMUP.toSeconds());
		peers.forEach(this::warm);
	}

	private void warm(Peer peer) {
		try (Resources open = new Resources()) {
			PeerServer server = peer.start(this, open);
			PeerLoad sessions = open.add(new PeerLoad(this, server));
			sessions.connect(server);
			sessions.run(new Load(this.rates.getLast(), Duration.ZERO, GENERATOR_WARMUP, Duration.ZERO), 1);
			System.out.printf("  %s was started, and is thrown away%n", peer.name());
		}
		catch (LoadTestException ex) {
			Interrupt.check();
			// If it is not installed, its measurement fails as well, and the report says
			// so.
			System.out.printf("  %s was not started: %s%n", peer.name(), ex.getMessage());
		}
	}

	private boolean isLong() {
		return this.minutes > 1;
	}

	@Override
	protected void run(Peer peer, Resources open) {
		try {
			boolean whole = measure(peer);
			if (whole && isLong()) {
				measureMinutes(peer, open);
			}
		}
		catch (LoadTestException ex) {
			Interrupt.check();
			System.out.println("Not run: " + ex.getMessage());
			this.results.notRun(peer, ex.getMessage());
		}
	}

	/**
	 * Measures each rate.
	 * @return whether nothing was wrong
	 */
	private boolean measure(Peer peer) {
		try (Resources open = new Resources()) {
			return measure(peer, peer.start(this, open), open);
		}
	}

	private boolean measure(Peer peer, PeerServer server, Resources open) {
		System.out.printf("%s%n  %s%n  %s%n", server.start().version(), server.start().command(),
				server.start().configuration());
		this.results.started(peer, server.start());
		ProcessUsage usage = open.add(ProcessUsage.of(server.pid()));
		PeerLoad sessions = open.add(new PeerLoad(this, server));
		long empty = residentKb(usage);
		sessions.connect(server);
		double sessionKb = Math.max(0, residentKb(usage) - empty) / (double) this.sessions;
		for (double rate : this.rates) {
			PeerLoad.Result result = sessions.run(this.load.at(rate, this.warmup), 1);
			PeerStep step = new PeerStep(peer, deliveries(rate), result, usage.between(result.from(), result.to()),
					sessionKb);
			this.results.add(step);
			System.out.printf("  %,.0f deliveries/s asked, %,.0f got, p50 %.2f ms, p99 %.2f ms, %s%n", step.asked(),
					result.perSecond(), result.latency().p50(), result.latency().p99(),
					result.isWhole() ? "nothing lost, doubled or out of order" : step.failure());
			if (!result.isWhole()) {
				// The state of the server is unknown: measure no further rate with it.
				return false;
			}
		}
		return true;
	}

	/**
	 * Sends the highest rate to a new server from its first minute on. The generator has
	 * compiled the protocol of this server while it measured the rates.
	 */
	private void measureMinutes(Peer peer, Resources open) {
		PeerServer server = peer.start(this, open);
		ProcessUsage usage = open.add(ProcessUsage.of(server.pid()));
		PeerLoad sessions = open.add(new PeerLoad(this, server));
		sessions.connect(server);
		double rate = this.rates.getLast();
		System.out.printf("  started again for %d minutes at %,.0f deliveries/s%n", this.minutes, deliveries(rate));
		PeerLoad.Result result = sessions
			.run(new Load(rate, Duration.ZERO, Duration.ofMinutes(this.minutes), this.load.drain), this.minutes);
		Interrupt.check();
		PeerStep step = new PeerStep(peer, deliveries(rate), result, usage.between(result.from(), result.to()), 0);
		this.results.addMinutes(step);
		System.out.printf("  p99 %.2f ms in the first minute, %.2f ms in the last one, %s%n", result.latency().p99(),
				result.minutes().getLast().p99(),
				result.isWhole() ? "nothing lost, doubled or out of order" : step.failure());
	}

	/**
	 * Returns the deliveries per second: each message goes to all sessions of its room.
	 */
	private double deliveries(double rate) {
		return rate * this.sessions / this.rooms;
	}

	/**
	 * Returns the resident memory of the next sample.
	 */
	private static long residentKb(ProcessUsage usage) {
		long from = System.nanoTime();
		Waiting.until(ONE_SAMPLE, () -> usage.between(from, System.nanoTime()).residentKb() > 0);
		return usage.between(from, System.nanoTime()).residentKb();
	}

	@Override
	protected Findings findings() {
		return this.results.findings();
	}

}
