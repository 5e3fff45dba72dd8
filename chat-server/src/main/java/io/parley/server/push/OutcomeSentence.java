package io.parley.server.push;

import java.util.List;

import io.parley.store.push.PushLogEntry;
import io.parley.store.push.PushLogEntry.Outcome;

/** Summarises log entries in one sentence. */
final class OutcomeSentence {

	private OutcomeSentence() {
	}

	/**
	 * Returns the sentence without the full stop.
	 * @param entries oldest first, at least one
	 */
	static String of(List<PushLogEntry> entries) {
		long devices = entries.stream()
			.filter((entry) -> entry.outcome() == Outcome.SENT)
			.map(PushLogEntry::deviceId)
			.distinct()
			.count();
		PushLogEntry last = entries.getLast();
		if (devices == 0) {
			return of(last.outcome());
		}
		return "The push service took it for " + devices + ((devices == 1) ? " device" : " devices");
	}

	private static String of(Outcome outcome) {
		return switch (outcome) {
			case SENT -> "The push service took it";
			case RETRIED -> "The push service did not take it yet";
			case REFUSED -> "The push service refused it for good";
			case GONE -> "The device was not there any more and is forgotten";
			case PARKED -> "The push service was tried too often, and it was given up";
			case EXPIRED -> "It was too old by the time it could have been sent";
			case POSTPONED -> "It is kept until the quiet hours of the user are over";
			case READ -> "The user had read it when it was decided";
			case RECEIVED -> "A live session of the user had received it when it was decided";
			case MUTED -> "The user does not want to be told of it";
			case NO_DEVICE -> "The user had no device when it was decided";
			case NOT_A_MEMBER -> "The user was not in the room any more when it was decided";
		};
	}

}
