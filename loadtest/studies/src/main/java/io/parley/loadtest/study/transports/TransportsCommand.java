package io.parley.loadtest.study.transports;

import java.net.InetAddress;
import java.nio.file.Path;
import java.rmi.registry.LocateRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.parley.loadtest.cli.DurationConverter;
import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.local.Checkout;
import io.parley.loadtest.local.KitProcess;
import io.parley.loadtest.local.LocalServer;
import io.parley.loadtest.report.Figures;
import io.parley.loadtest.study.Findings;
import io.parley.loadtest.study.Resources;
import io.parley.loadtest.study.StudyCommand;
import io.parley.loadtest.study.server.LocalBroker;
import io.parley.loadtest.study.transports.Round.Outcome;
import io.parley.loadtest.study.transports.Round.Outcome.End;
import io.parley.loadtest.study.transports.TransportsCommand.Kind;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./chat loadtest transports}: compares Parley with sockets, RMI and JMS. A case
 * is one kind of server, on which every cell of the tables is run.
 */
@Command(name = "transports",
		description = "Compares plain socket, RMI, JMS and the modes of Parley: transfer, capacity, broadcast, echo, size.",
		mixinStandardHelpOptions = true, showDefaultValues = false,
		footer = "The sizes are those of a study of 2004, whose figures are shown for comparison. Only a row of Parley"
				+ " can fail the run.")
public final class TransportsCommand extends StudyCommand<Kind> {

	private static final Cell WARM_UP = new Cell(Experiment.BROADCAST, 10, 200, 100);

	private static final Pattern RELAY = Pattern.compile("(rabbitmq|artemis|activemq)@([^:]+):([0-9]+)");

	@Option(names = "--only", split = ",", paramLabel = "NAME",
			description = "Some of socket, rmi, jms, simple, bus, relay. Default: all but relay")
	List<Kind> only = List.of();

	@Option(names = "--experiments", split = ",", paramLabel = "NAME",
			description = "Some of transfer, capacity, broadcast, echo, size. Default: all")
	List<Experiment> experiments = List.of();

	@Option(names = "--scale", description = "Multiplies all numbers of clients and messages. Default: 1")
	double scale = 1;

	@Option(names = "--cell-limit", converter = DurationConverter.class,
			description = "Time limit for one cell of a table. Default: 120s")
	Duration cellLimit = Duration.ofSeconds(120);

	@Option(names = "--with-relay", description = "Also run Parley in mode relay, with an Artemis started for it.")
	boolean withRelay;

	@Option(names = "--relay", paramLabel = "KIND@HOST:PORT",
			description = "Another broker for --with-relay, as rabbitmq@localhost:61613.")
	@Nullable String relay;

	@Option(names = "--relay-login", paramLabel = "USER:PASSWORD",
			description = "Login of the broker. Default: guest:guest")
	String relayLogin = "guest:guest";

	@Option(names = "--relay-connections", description = "per-node or per-session. Default: per-node")
	String relayConnections = "per-node";

	@Option(names = "--server-jar", hidden = true)
	Path serverJar = Checkout.chatServer();

	private final Map<Kind, List<Outcome>> outcomes = new LinkedHashMap<>();

	private final Instant startedAt = Instant.now();

	private int done;

	enum Kind {

		SOCKET("socket"), RMI("RMI"), JMS("JMS"), SIMPLE("Parley simple"), BUS("Parley bus"), RELAY("Parley relay");

		final String title;

		Kind(String title) {
			this.title = title;
		}

		boolean isParley() {
			return compareTo(SIMPLE) >= 0;
		}

		@Override
		public String toString() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	@Override
	protected List<Kind> cases() {
		require(this.scale > 0 && this.scale <= 1 && this.cellLimit.isPositive(),
				"--scale must be above 0 and at most 1, and --cell-limit above 0s.");
		List<Kind> kinds = new ArrayList<>(this.only.isEmpty() ? List.of(Kind.values()) : this.only);
		if (this.only.isEmpty() && !this.withRelay && this.relay == null) {
			kinds.remove(Kind.RELAY);
		}
		kinds.sort(null);
		return kinds;
	}

	List<Cell> cells() {
		List<Experiment> chosen = this.experiments.isEmpty() ? List.of(Experiment.values()) : this.experiments;
		return chosen.stream().sorted().distinct().flatMap((one) -> one.cells(this.scale).stream()).distinct().toList();
	}

	@Override
	protected String introduction() {
		return "%d cells on each of %s, one server after the other; a cell is stopped after %d s"
			.formatted(cells().size(), cases(), this.cellLimit.toSeconds());
	}

	@Override
	protected String name(Kind kind) {
		return kind.title;
	}

	@Override
	protected Duration expected() {
		return Duration.ZERO;
	}

	@Override
	protected void run(Kind kind, Resources open) throws Exception {
		List<Outcome> results = new ArrayList<>();
		this.outcomes.put(kind, results);
		Transport transport = start(kind, open);
		new Round(transport, WARM_UP, this.cellLimit).run();
		for (Cell cell : cells()) {
			Outcome outcome = new Round(transport, cell, this.cellLimit).run();
			results.add(outcome);
			print(kind, outcome);
			if (outcome.end() == End.INTERRUPTED || Interrupt.requested()) {
				return;
			}
		}
	}

	private void print(Kind kind, Outcome outcome) {
		this.done++;
		int all = cells().size() * cases().size();
		Duration left = Duration.between(this.startedAt, Instant.now())
			.multipliedBy(all - this.done)
			.dividedBy(this.done);
		System.out.printf(Locale.ROOT, "%3d of %d  %-14s %-36s %s%s%n", this.done, all, kind.title, outcome.cell(),
				outcome.displayValue(), (left.toMinutes() > 0) ? "   (" + Figures.left(left) + ")" : "");
	}

	static Transport socket(Resources open) {
		int port = KitProcess.freePort();
		open.add(ServerCommand.start(Kind.SOCKET, port));
		return new BlockingTransport("socket", (client) -> new SocketLink(port, client));
	}

	static Transport rmi(Resources open) {
		// Must be set before the first callback is exported: the server calls it at this
		// address.
		System.setProperty("java.rmi.server.hostname", "127.0.0.1");
		int port = KitProcess.freePort();
		open.add(ServerCommand.start(Kind.RMI, port));
		try {
			String host = InetAddress.getLoopbackAddress().getHostAddress();
			RmiHub hub = (RmiHub) LocateRegistry.getRegistry(host, port).lookup(RmiHub.NAME);
			return new BlockingTransport("RMI", (client) -> new RmiLink(hub, client));
		}
		catch (Exception ex) {
			throw new LoadTestException("The RMI server does not answer: " + ex);
		}
	}

	private Transport start(Kind kind, Resources open) {
		return switch (kind) {
			case SOCKET -> socket(open);
			case RMI -> rmi(open);
			case JMS -> {
				int port = open.add(LocalBroker.start(LocalBroker.Kind.ARTEMIS)).port();
				ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory("tcp://127.0.0.1:" + port);
				yield new BlockingTransport("JMS", (client) -> new JmsLink(factory, client));
			}
			case SIMPLE, BUS -> parley(kind, List.of(), open);
			case RELAY -> parley(kind,
					relaySettings((this.relay != null) ? this.relay
							: "artemis@127.0.0.1:" + open.add(LocalBroker.start(LocalBroker.Kind.ARTEMIS)).port()),
					open);
		};
	}

	private List<String> relaySettings(String broker) {
		Matcher parts = RELAY.matcher(broker);
		String[] login = this.relayLogin.split(":", 2);
		require(parts.matches() && login.length == 2,
				"--relay needs a kind and an address, as rabbitmq@localhost:61613, and"
						+ " --relay-login a user and a password, as guest:guest.");
		String prefix = "chat.broker.relay.";
		return List.of(prefix + "kind=" + parts.group(1), prefix + "host=" + parts.group(2),
				prefix + "port=" + parts.group(3), prefix + "username=" + login[0], prefix + "password=" + login[1],
				prefix + "connections=" + this.relayConnections);
	}

	/**
	 * Starts a chat-server. Its connect limit is for real users and is turned off; its
	 * tokens must outlive the study.
	 */
	private Transport parley(Kind mode, List<String> more, Resources open) {
		List<String> settings = new ArrayList<>(List.of("chat.broker.mode=" + mode, "chat.limits.connects-per-second=0",
				"chat.security.jwt.access-ttl=1d"));
		settings.addAll(more);
		LocalServer server = open.add(LocalServer.start(this.serverJar, List.of(), settings));
		int most = cells().stream().mapToInt(Cell::clients).max().orElse(1);
		return open.add(new ParleyTransport(mode.title, server.url(), most));
	}

	@Override
	protected Findings findings() {
		return new TransportsReport(cells(), this.outcomes).findings();
	}

}
