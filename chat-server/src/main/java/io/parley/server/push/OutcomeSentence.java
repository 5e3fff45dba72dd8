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
		return "The push service accepted it for " + devices + ((devices == 1) ? " device" : " devices");
	}

	private static String of(Outcome outcome) {
		return switch (outcome) {
			case SENT -> "The push service accepted it";
			case RETRIED -> "The push service has not accepted it yet";
			case REFUSED -> "The push service refused it permanently";
			case GONE -> "The device no longer exists and was removed";
			case PARKED -> "It was given up after too many attempts";
			case EXPIRED -> "It had expired before it could be sent";
			case POSTPONED -> "It is held back until the user's quiet hours end";
			case READ -> "The user had already read it when the push was decided";
			case RECEIVED -> "A live session of the user had already received it when the push was decided";
			case MUTED -> "The user's notification settings exclude it";
			case NO_DEVICE -> "The user had no device when the push was decided";
			case NOT_A_MEMBER -> "The user was no longer in the room when the push was decided";
			case DELETED -> "The message was deleted before the push was decided";
		};
	}

}
