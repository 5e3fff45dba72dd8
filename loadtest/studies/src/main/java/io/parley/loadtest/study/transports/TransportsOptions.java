package io.parley.loadtest.study.transports;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.parley.loadtest.cli.Span;
import io.parley.loadtest.local.Checkout;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options of {@code transports}.
 */
final class TransportsOptions {

	@Option(names = "--only", split = ",", paramLabel = "NAME",
			description = "Some of socket, rmi, jms, simple, bus, relay. Default: all but relay")
	List<Kind> only = List.of();

	@Option(names = "--experiments", split = ",", paramLabel = "NAME",
			description = "Some of transfer, capacity, broadcast, echo, size. Default: all")
	List<Experiment> experiments = List.of();

	@Option(names = "--scale", description = "Multiplies all numbers of clients and messages. Default: 1")
	double scale = 1;

	@Option(names = "--cell-limit", converter = Span.class,
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

	/**
	 * The servers that can be compared.
	 */
	enum Kind {

		SOCKET, RMI, JMS, SIMPLE, BUS, RELAY;

		boolean isParley() {
			return compareTo(SIMPLE) >= 0;
		}

		@Override
		public String toString() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/**
	 * Returns the chosen kinds in the order in which they run.
	 */
	List<Kind> kinds() {
		List<Kind> kinds = new ArrayList<>(this.only.isEmpty() ? List.of(Kind.values()) : this.only);
		if (this.only.isEmpty() && !this.withRelay && this.relay == null) {
			kinds.remove(Kind.RELAY);
		}
		kinds.sort(null);
		return kinds;
	}

	/**
	 * Returns the cells of all chosen tables.
	 */
	List<Cell> cells() {
		List<Experiment> chosen = this.experiments.isEmpty() ? List.of(Experiment.values()) : this.experiments;
		return chosen.stream().sorted().distinct().flatMap((one) -> one.cells(this.scale).stream()).distinct().toList();
	}

}
