package io.parley.loadtest.faults;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

import io.parley.loadtest.faults.Action.Kind;
import io.parley.loadtest.report.RunReport.Table;

/**
 * What has happened at the proxy. Safe for use by many threads.
 */
final class Counts {

	final LongAdder connections = new LongAdder();

	final LongAdder webSockets = new LongAdder();

	/** Connections that were reset at once because of a fault or the limit. */
	final LongAdder refused = new LongAdder();

	/** Connections for which the server could not be reached. */
	final LongAdder unreachable = new LongAdder();

	final LongAdder failedRestarts = new LongAdder();

	final LongAdder bytesToClient = new LongAdder();

	final LongAdder bytesToServer = new LongAdder();

	private final long mostCuts;

	private final Runnable whenDone;

	private final Map<Kind, Long> faults = new EnumMap<>(Kind.class);

	private long cuts;

	/**
	 * Creates counts of zero.
	 * @param mostCuts how many connections may be ended; no fault happens after that
	 * @param whenDone called once when so many were ended
	 */
	Counts(long mostCuts, Runnable whenDone) {
		this.mostCuts = mostCuts;
		this.whenDone = whenDone;
	}

	/**
	 * Counts a fault that happens now.
	 * @return whether it may happen
	 */
	boolean permit(Kind kind) {
		boolean last;
		synchronized (this) {
			if (this.cuts >= this.mostCuts) {
				return false;
			}
			this.faults.merge(kind, 1L, Long::sum);
			this.cuts += kind.endsConnection() ? 1 : 0;
			last = this.cuts >= this.mostCuts;
		}
		if (last) {
			this.whenDone.run();
		}
		return true;
	}

	synchronized long of(Kind kind) {
		return this.faults.getOrDefault(kind, 0L);
	}

	LongAdder bytes(Side to) {
		return (to == Side.CLIENT) ? this.bytesToClient : this.bytesToServer;
	}

	List<Table> tables() {
		List<List<Object>> faults = List.of(Kind.values())
			.stream()
			.map((kind) -> List.<Object>of(kind.word(), of(kind)))
			.toList();
		List<List<Object>> traffic = List.of(List.of("connections", this.connections.sum()),
				List.of("of these WebSockets", this.webSockets.sum()), List.of("refused", this.refused.sum()),
				List.of("server not reached", this.unreachable.sum()),
				List.of("failed restarts", this.failedRestarts.sum()),
				List.of("bytes to clients", this.bytesToClient.sum()),
				List.of("bytes to the server", this.bytesToServer.sum()));
		return List.of(new Table("Faults", List.of("kind", "times"), faults, ""),
				new Table("Traffic", List.of("what", "count"), traffic, ""));
	}

}
