package io.parley.loadtest.faults;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.cli.Waiting;
import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.report.TextTable;
import io.parley.loadtest.trial.Preconditions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code ./chat loadtest faults}: a proxy in front of a server that breaks connections by
 * a script, for clients in any language.
 */
@Command(name = "faults",
		description = "Stands between clients and a server, and cuts, delays, silences and garbles connections by a plan"
				+ " or a script, for clients in any language. Afterwards \"judge\" says what a client lost.",
		mixinStandardHelpOptions = true)
public final class FaultsCommand implements Callable<Integer> {

	private static final Duration FOR_EVER = Duration.ofDays(365);

	private static final int FILES_PER_CONNECTION = 2;

	@Option(names = "--listen", paramLabel = "<[host:]port>",
			description = "Where clients connect; 0 for a free port. Without a host it is 127.0.0.1. Default:"
					+ " ${DEFAULT-VALUE}")
	String listen = "8081";

	@Option(names = "--to", paramLabel = "<[host:]port>", description = "The server. Default: ${DEFAULT-VALUE}")
	String to = "8080";

	@Option(names = "--i-own-this-host", description = "Allow a server that is not on this machine.")
	boolean owned;

	@Option(names = "--script", description = "A file with one action in each line, see below.")
	@Nullable Path script;

	@Option(names = "--plan",
			description = "A script for a common purpose, which is printed: cuts, delays, half-open, tails, mixed."
					+ " Default: mixed")
	@Nullable String plan;

	@Option(names = "--every", description = "Mean time between two faults of each kind in a plan. Default: 2s")
	Duration every = Duration.ofSeconds(2);

	@Option(names = "--cuts",
			description = "End the faults when they have ended so many connections; connections are forwarded as"
					+ " before. Default: no limit")
	long cuts = Long.MAX_VALUE;

	@Option(names = "--duration", description = "How long to run. Default: until Ctrl-C")
	Duration duration = FOR_EVER;

	@Option(names = "--seed",
			description = "Number from which the values of ranges follow. Default: a new one, which is printed")
	@Nullable Long seed;

	@Option(names = "--restart", paramLabel = "<command>",
			description = "Shell command that kills the server, starts it in the background and ends, for the action"
					+ " restart. With a plan it runs every 20 to 60 s.")
	String restart = "";

	@Option(names = "--connections",
			description = "Connections at the same time; more are reset. Default: ${DEFAULT-VALUE}")
	int connections = 400;

	/**
	 * Adds the grammar of scripts to the help.
	 */
	@Spec
	void describe(CommandSpec command) {
		command.usageMessage().footerHeading("%nScripts%n").footer(Script.GRAMMAR);
	}

	@Override
	public Integer call() {
		Interrupt.listen();
		Script rules = check();
		InetSocketAddress server = address("--to", this.to);
		long values = (this.seed != null) ? this.seed : System.nanoTime() & 0xffff;
		Counts counts = new Counts(this.cuts,
				() -> line("all %,d cuts are done: connections are forwarded without faults until the end", this.cuts));
		try (Proxy proxy = new Proxy(address("--listen", this.listen), server, this.connections, rules, values, counts,
				new Restart(this.restart, counts))) {
			line("listening on port %d, forwarding to %s:%d, seed %d (Ctrl-C ends it)", proxy.port(),
					server.getHostString(), server.getPort(), values);
			proxy.start();
			Waiting.pass(this.duration);
		}
		TextTable.print(counts.tables());
		return (counts.failedRestarts.sum() > 0) ? 1 : 0;
	}

	private Script check() {
		Preconditions.require(this.cuts > 0 && this.every.isPositive() && this.duration.isPositive(),
				"--cuts, --every and --duration must be above 0.");
		Preconditions.require(this.duration.compareTo(FOR_EVER) <= 0, "--duration must be at most a year.");
		Preconditions.require(this.script == null || this.plan == null, "Use --script or --plan, not both.");
		long limit = Generator.maxOpenFiles();
		long needed = (long) this.connections * FILES_PER_CONNECTION + Preconditions.OTHER_FILES;
		Preconditions.require(this.connections > 0 && needed <= limit,
				"--connections %,d needs %,d open files, this process may open %,d: pass fewer, or raise \"ulimit -n\".",
				this.connections, needed, limit);
		Script rules = (this.script != null) ? Script.read(this.script) : planned();
		Preconditions.require(!rules.restarts() || !this.restart.isEmpty(),
				"The script has the action \"restart\": pass its command with --restart.");
		return rules;
	}

	private Script planned() {
		List<String> lines = plan((this.plan != null) ? this.plan : "mixed").lines(this.every, !this.restart.isEmpty());
		line("The script of the plan:");
		lines.forEach((text) -> line("  %s", text));
		return Script.parse("plan", lines);
	}

	private static Plan plan(String name) {
		try {
			return Plan.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
		}
		catch (IllegalArgumentException ex) {
			throw new LoadTestException("--plan " + name + " is unknown: use cuts, delays, half-open, tails or mixed.");
		}
	}

	private InetSocketAddress address(String option, String value) {
		int colon = value.lastIndexOf(':');
		String host = (colon < 0) ? "127.0.0.1" : value.substring(0, colon);
		String port = value.substring(colon + 1);
		Preconditions.require(port.matches("\\d{1,5}") && Integer.parseInt(port) <= 65_535 && !host.isEmpty(),
				"%s %s is wrong: use a port, or a host and a port, as 127.0.0.1:8081.", option, value);
		try {
			InetAddress address = InetAddress.getByName(host);
			Preconditions.require(option.equals("--listen") || this.owned || address.isLoopbackAddress(),
					"%s is not this machine: faults on someone else's host are an attack. If it is yours, add"
							+ " --i-own-this-host.",
					host);
			return new InetSocketAddress(address, Integer.parseInt(port));
		}
		catch (UnknownHostException ex) {
			throw new LoadTestException("The host of " + option + " " + value + " is unknown.");
		}
	}

	private static void line(String format, Object... values) {
		System.out.println("faults: " + String.format(Locale.ROOT, format, values));
	}

}
