package io.parley.loadtest.study.modes;

import java.util.ArrayList;
import java.util.List;

import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.idle.IdleResult;
import io.parley.loadtest.idle.Trials;
import io.parley.loadtest.local.Checkout;
import io.parley.loadtest.local.LocalServer;
import io.parley.loadtest.measure.ServerProbe;
import io.parley.loadtest.study.server.LocalBaseline;
import io.parley.loadtest.study.server.LocalBroker;
import io.parley.loadtest.study.server.ProcessWatch;
import org.jspecify.annotations.Nullable;

/**
 * A new server in one mode, with its broker if it has one.
 */
final class Bench implements AutoCloseable {

	private static final int MIN_SESSIONS_FOR_HEAP = 500;

	private final List<AutoCloseable> open = new ArrayList<>();

	private final Mode mode;

	private final ModesOptions options;

	private final @Nullable ProcessWatch broker;

	private final ProcessWatch server;

	private final ProcessWatch machine;

	private final ServerProbe probe;

	private final Trials trials;

	private final long emptyHeapKb;

	private double heapPerSession;

	/**
	 * Starts the server, and the broker if there is one.
	 * @throws RefusedException when one of them does not start
	 */
	Bench(Mode mode, ModesOptions options) {
		this.mode = mode;
		this.options = options;
		try {
			this.machine = register(ProcessWatch.ofMachine());
			LocalBroker.Kind kind = mode.broker();
			LocalBroker relay = (kind != null) ? register(LocalBroker.start(kind)) : null;
			this.broker = (relay != null && relay.pid() > 0) ? register(ProcessWatch.of(relay.pid())) : null;
			if (mode.isReference()) {
				LocalBaseline textbook = register(LocalBaseline.start(List.of()));
				this.probe = new ServerProbe(textbook.pid());
				this.server = register(ProcessWatch.of(textbook.pid()));
				this.trials = Trials.atPlain(textbook.url(), options.crowd());
			}
			else {
				LocalServer parley = register(LocalServer.start(Checkout.chatServer(), List.of(), settings(relay)));
				this.probe = new ServerProbe(parley.pid());
				this.server = register(ProcessWatch.of(parley.pid()));
				this.trials = Trials.atParley(parley.url(), options.crowd());
			}
			this.emptyHeapKb = this.probe.liveHeapKb();
		}
		catch (RuntimeException ex) {
			close();
			throw ex;
		}
	}

	private <T extends AutoCloseable> T register(T resource) {
		this.open.addFirst(resource);
		return resource;
	}

	private List<String> settings(@Nullable LocalBroker relay) {
		List<String> settings = new ArrayList<>(this.mode.settings());
		settings.add("chat.security.jwt.access-ttl=3h");
		if (relay != null) {
			settings.addAll(relay.settings());
		}
		return settings;
	}

	/**
	 * Connects all sessions, warms up, measures one rate, and disconnects the sessions.
	 */
	Step measure(double rate) {
		IdleResult result = this.trials.run(this.options.load(rate), (rooms) -> measureHeap());
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

	@Override
	public void close() {
		for (AutoCloseable resource : this.open) {
			try {
				resource.close();
			}
			catch (Exception ex) {
				System.out.println("Could not stop a process: " + ex.getMessage());
			}
		}
	}

}
