package io.parley.server.push;

import java.time.Instant;
import java.util.List;

import io.parley.store.push.Device;
import io.parley.store.push.PushLogEntry;
import io.parley.store.push.PushTask;
import org.jspecify.annotations.Nullable;

/**
 * The push log of a user in a room.
 *
 * @param position null for all messages
 * @param pending the task that is still to be decided or sent, or null
 * @param explanation one sentence
 */
record PushLogView(String user, String room, @Nullable Long position, List<Entry> entries, @Nullable Pending pending,
		String explanation) {

	static PushLogView of(String user, String room, @Nullable Long position, List<PushLogEntry> entries,
			@Nullable PushTask task, String explanation) {
		return new PushLogView(user, room, position, entries.stream().map(Entry::of).toList(),
				(task != null) ? Pending.of(task) : null, explanation);
	}

	/**
	 * Returns plain text; replaces control characters, which a terminal could interpret.
	 */
	String lines() {
		StringBuilder lines = new StringBuilder();
		this.entries.forEach((entry) -> lines.append(entry.line()).append('\n'));
		if (this.pending != null) {
			lines.append(this.pending.line()).append('\n');
		}
		return lines.append(this.explanation).append('\n').toString().replaceAll("[\\p{Cntrl}&&[^\\n]]", " ");
	}

	/**
	 * A decision, or an answer of the push service.
	 *
	 * @param device the id of a device, or null if the decision applies to the user as a
	 * whole
	 */
	record Entry(Instant at, String outcome, @Nullable String device, @Nullable String platform, String detail,
			long firstPosition, long lastPosition) {

		private static final int SHORT_ID = 8;

		static Entry of(PushLogEntry entry) {
			Device.Platform platform = entry.platform();
			return new Entry(entry.at(), WireFormat.name(entry.outcome()), entry.deviceId(),
					(platform != null) ? WireFormat.name(platform) : null, entry.detail(), entry.firstPosition(),
					entry.lastPosition());
		}

		String line() {
			String positions = (this.firstPosition == this.lastPosition) ? String.valueOf(this.firstPosition)
					: this.firstPosition + " to " + this.lastPosition;
			String to = (this.device != null)
					? this.platform + " " + this.device.substring(0, Math.min(SHORT_ID, this.device.length())) : "";
			return "%s  %-12s  %-16s  %s  %s"
				.formatted(this.at, this.outcome, to, positions, this.detail.replace('\n', ' '))
				.stripTrailing();
		}

	}

	/** A pending push task. */
	record Pending(Instant dueAt, int messages, int attempts) {

		static Pending of(PushTask task) {
			return new Pending(task.dueAt(), task.messages() + task.retryMessages(), task.attempts());
		}

		String line() {
			return this.dueAt + "  pending       messages: " + this.messages + ", failed attempts: " + this.attempts;
		}

	}

}
