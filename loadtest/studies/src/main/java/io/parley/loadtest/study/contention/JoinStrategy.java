package io.parley.loadtest.study.contention;

import java.util.List;
import java.util.Locale;

/**
 * The ways to prevent a room from getting more members than places.
 */
enum JoinStrategy {

	/** Requests are written to a topic, and one consumer applies them. */
	KAFKA("Kafka, one consumer", 749.2, "0"),
	/** A lock in the process, around the transaction. */
	MUTEX("mutex", 563.2, "0"),
	/** A semaphore with one permit in the process, first come, first served. */
	SEMAPHORE("semaphore", 613.2, "0"),
	/** The row of the room is locked: SELECT … FOR UPDATE. */
	PESSIMISTIC("pessimistic lock", 412.2, "0"),
	/** The database ensures it and makes transactions fail. */
	SERIALIZABLE("SERIALIZABLE", 451.8, "9–13"),
	/** Parley: one conditional UPDATE. */
	PARLEY("Parley's own", "", "");

	final String title;

	/** The mean in milliseconds and the errors in per cent of the original study. */
	final List<Object> published;

	JoinStrategy(String title, Object mean, Object errors) {
		this.title = title;
		this.published = List.of(mean, errors);
	}

	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

}
