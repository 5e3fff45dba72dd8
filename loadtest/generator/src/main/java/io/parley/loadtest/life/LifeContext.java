package io.parley.loadtest.life;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.parley.loadtest.check.RoomLedger;
import io.parley.loadtest.stomp.Connector;
import io.parley.loadtest.user.People.Room;
import io.parley.loadtest.user.RoomPlan;

/**
 * The state that all users of a run share. Safe for use by many threads.
 */
final class LifeContext {

	final String run;

	final LifeMeasures measures;

	final LifeRest rest;

	final Connector connector;

	/** Requests block, so each runs on a thread of its own. */
	final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

	/** Whether servers are replaced during the run. */
	final boolean rolling;

	/** Whether users who look at their open room send read markers. */
	volatile boolean reading;

	private final Map<String, Double> weights;

	private final Map<String, RoomLedger> ledgers = new ConcurrentHashMap<>();

	LifeContext(String run, LifeMeasures measures, LifeRest rest, Connector connector, List<Room> rooms,
			LifeOptions options) {
		this.run = run;
		this.measures = measures;
		this.rest = rest;
		this.connector = connector;
		this.rolling = options.rolling;
		List<Double> busy = RoomPlan.weights(rooms.stream().map((room) -> room.members().size()).toList(),
				options.seed);
		this.weights = IntStream.range(0, rooms.size())
			.boxed()
			.collect(Collectors.toMap((n) -> rooms.get(n).id(), busy::get));
	}

	/**
	 * Returns how busy a room is, compared with others.
	 */
	double weight(String room) {
		return this.weights.getOrDefault(room, 0.0);
	}

	RoomLedger ledger(String room) {
		return this.ledgers.computeIfAbsent(room, RoomLedger::new);
	}

	/**
	 * Returns the number of accepted messages that nobody has received.
	 */
	long unseen() {
		return this.ledgers.values().stream().mapToLong(RoomLedger::unseen).sum();
	}

}
