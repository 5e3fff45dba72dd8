package io.parley.loadtest.study.modes;

import java.util.ArrayList;
import java.util.List;

import io.parley.loadtest.idle.IdleResult;
import io.parley.loadtest.idle.TrialRunner;
import io.parley.loadtest.local.Checkout;
import io.parley.loadtest.local.LocalServer;
import io.parley.loadtest.measure.ServerProbe;
import io.parley.loadtest.study.Resources;
import io.parley.loadtest.study.server.LocalBaseline;
import io.parley.loadtest.study.server.LocalBroker;
import io.parley.loadtest.study.server.ProcessUsage;
import org.jspecify.annotations.Nullable;

/**
 * A new server in one mode, with its broker if it has one.
 */
final class ModeServer {

	private static final int MIN_SESSIONS_FOR_HEAP = 500;

	private final Mode mode;

	private final ModesCommand options;

	private final @Nullable ProcessUsage broker;

	private final ProcessUsage server;

	private final ProcessUsage machine;

	private final ServerProbe probe;

	private final TrialRunner trials;

	private final long emptyHeapKb;

	private double heapPerSession;

	/**
	 * Starts the server, and the broker if there is one.
	 * @throws io.parley.loadtest.cli.LoadTestException when one of them does not start
	 */
	ModeServer(Mode mode, ModesCommand options, Resources open) {
		this.mode = mode;
		this.options = options;
		this.machine = open.add(ProcessUsage.ofMachine());
		LocalBroker.Kind kind = mode.broker();
		LocalBroker relay = (kind != null) ? open.add(LocalBroker.start(kind)) : null;
		this.broker = (relay != null && relay.pid() > 0) ? open.add(ProcessUsage.of(relay.pid())) : null;
		long pid;
		if (mode.isReference()) {
			LocalBaseline textbook = open.add(LocalBaseline.start(List.of()));
			pid = textbook.pid();
			this.trials = TrialRunner.atPlain(textbook.url(), options.crowd());
		}
		else {
			LocalServer parley = open.add(LocalServer.start(Checkout.chatServer(), List.of(), settings(relay)));
			pid = parley.pid();
			this.trials = TrialRunner.atParley(parley.url(), options.crowd());
		}
		this.probe = new ServerProbe(pid);
		this.server = open.add(ProcessUsage.of(pid));
		this.emptyHeapKb = this.probe.liveHeapKb();
	}

	private List<String> settings(@Nullable LocalBroker relay) {
		List<String> settings = new ArrayList<>(this.mode.settings());
		settings.add("chat.security.jwt.access-ttl=3h");
		if (relay != null) {
			settings.addAll(relay.settings());
		}
		return settings;
	}

	Step measure(double rate) {
		IdleResult result = this.trials.run(this.options.load.at(rate, this.options.warmup), (rooms) -> measureHeap());
		return new Step(this.mode, rate, this.options.deliveries(rate), result,
				this.machine.between(result.from(), result.to()).cores(),
				this.server.between(result.from(), result.to()), this.heapPerSession,
				(this.broker != null) ? this.broker.between(result.from(), result.to()) : null);
	}

	/**
	 * Measures the heap per session once, before other structures have grown. With few
	 * sessions, memory for other purposes would dominate the result.
	 */
	private void measureHeap() {
		if (this.heapPerSession == 0 && this.options.sessions >= MIN_SESSIONS_FOR_HEAP) {
			this.heapPerSession = (double) (this.probe.liveHeapKb() - this.emptyHeapKb) / this.options.sessions;
		}
	}

}
