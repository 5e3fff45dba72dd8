package io.parley.loadtest.capacity;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.parley.loadtest.local.LocalNginx;
import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.trial.Preconditions;
import io.parley.loadtest.trial.Trial;
import io.parley.loadtest.trial.TrialCommand;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./chat loadtest capacity}: measures how many users or sessions a server holds.
 */
@Command(name = "capacity",
		description = "Measures how many users a server holds. By default the classic test: at each level all"
				+ " users open a WebSocket, CONNECT, read, SUBSCRIBE, read, DISCONNECT and close. With"
				+ " --search: the largest number of sessions that all hold, and the limit above it.",
		mixinStandardHelpOptions = true)
public final class CapacityCommand extends TrialCommand {

	/**
	 * The fan-out mode; see the configuration of the server.
	 */
	enum Mode {

		simple, bus, relay

	}

	/**
	 * The proxy between the kit and the server.
	 */
	enum Proxy {

		nothing, nginx

	}

	@Option(names = "--url", description = "The server. Default: a new one of this checkout, on free ports")
	@Nullable URI url;

	@Option(names = "--i-own-this-host", description = "Allow a server that is not on this machine.")
	boolean owned;

	@Option(names = "--server-pid",
			description = "With --url: the server's process on this machine, to find the limit.")
	@Nullable Long serverPid;

	@Option(names = "--mode",
			description = "Broker mode of the new server: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}")
	Mode mode = Mode.bus;

	@Option(names = "--through",
			description = "Proxy in front of the new server: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}")
	Proxy through = Proxy.nothing;

	@Option(names = "--server-heap", description = "Heap of the new server. Default: ${DEFAULT-VALUE}")
	String serverHeap = "512m";

	@Option(names = "--setting", paramLabel = "<key=value>",
			description = "Setting of the new server, such as chat.broker.relay.host=127.0.0.1; may be repeated.")
	List<String> settings = new ArrayList<>();

	@Option(names = "--levels", split = ",", description = "Users at once. Default: 100,500,700,1000,3000,5000")
	int[] levels = { 100, 500, 700, 1000, 3000, 5000 };

	@Option(names = "--repetitions", description = "How often each level runs. Default: ${DEFAULT-VALUE}")
	int repetitions = 5;

	@Option(names = "--ramp", description = "Time within which all users of a level start. Default: 1s")
	Duration ramp = Duration.ofSeconds(1);

	@Option(names = "--rooms", description = "Group rooms that the sessions spread over. Default: ${DEFAULT-VALUE}")
	int rooms = 10;

	@Option(names = "--search",
			description = "Instead of levels: find the largest number of sessions that all hold. Increases by one"
					+ " half, then halves the interval down to 5 per cent.")
	boolean search;

	@Option(names = "--from", description = "With --search: the first number. Default: ${DEFAULT-VALUE}")
	int from = 1000;

	@Option(names = "--most",
			description = "With --search: the highest number to try. Default: the limit of open files of this"
					+ " process")
	int most;

	@Option(names = "--hold",
			description = "With --search: how long all must hold without a single failure. Default: 60s")
	Duration hold = Duration.ofSeconds(60);

	@Option(names = "--confirm", description = "With --search: how often the best must pass. Default: ${DEFAULT-VALUE}")
	int confirm = 3;

	@Option(names = "--p99",
			description = "With --search: also find how many hold with a delivery p99 up to this time. Default:"
					+ " 200ms")
	Duration p99 = Duration.ofMillis(200);

	@Option(names = "--connect-rate", description = "With --search: new sessions a second. Default: ${DEFAULT-VALUE}")
	double connectRate = 400;

	@Option(names = "--rate",
			description = "With --search: messages a second over all rooms during the hold. Default: ${DEFAULT-VALUE}")
	double rate = 1;

	@Option(names = "--drain", description = "With --search: how long to wait for missing deliveries. Default: 10s")
	Duration drain = Duration.ofSeconds(10);

	/**
	 * Returns the largest number of concurrent sessions that the run is certain to open.
	 */
	private int minSessions() {
		return this.search ? 1 : Arrays.stream(this.levels).max().orElse(0);
	}

	private void check() {
		Preconditions.require(this.levels.length > 0 && Arrays.stream(this.levels).allMatch((level) -> level > 0),
				"--levels must be numbers above 0, as 100,500.");
		Preconditions.require(this.repetitions > 0 && this.rooms > 0 && this.from > 0 && this.confirm > 0,
				"--repetitions, --rooms, --from and --confirm must be above 0.");
		Preconditions.require(this.connectRate > 0 && this.rate > 0, "--connect-rate and --rate must be above 0.");
		Preconditions.require(this.url == null || (this.settings.isEmpty() && this.through == Proxy.nothing),
				"--setting and --through are for the new server: omit them, or omit --url.");
		if (this.through == Proxy.nginx) {
			LocalNginx.requireDocker();
		}
	}

	@Override
	protected RunReport run(Trial trial) {
		check();
		Preconditions.checkOpenFiles(minSessions(), Generator.maxOpenFiles());
		try (ServerUnderTest server = new ServerUnderTest(this)) {
			Preconditions.checkTarget(server.target(), minSessions());
			trial.fact("server", server.description()).watch(this.serverPid);
			return this.search ? new CapacitySearch(this, trial, server).run()
					: new CapacityLevels(this, trial, server).run();
		}
	}

}
