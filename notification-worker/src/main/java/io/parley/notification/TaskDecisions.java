package io.parley.notification;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.parley.store.push.Device;
import io.parley.store.push.PushLogEntry;
import io.parley.store.push.PushLogEntry.Outcome;
import io.parley.store.push.PushTask;
import io.parley.store.push.PushTaskRepository.Postponement;

/** The decisions about a batch of tasks. For use by one thread. */
final class TaskDecisions {

	private final Instant now;

	private final List<PushTask> ended = new ArrayList<>();

	private final List<Postponement> postponed = new ArrayList<>();

	private final List<PushLogEntry> entries = new ArrayList<>();

	private final List<Send> sends = new ArrayList<>();

	TaskDecisions(Instant now) {
		this.now = now;
	}

	/**
	 * A task and the devices to send it to.
	 *
	 * @param shown the task as devices show it
	 */
	record Send(PushTask task, PushTask shown, String roomName, List<Device> devices) {
	}

	Instant now() {
		return this.now;
	}

	/** Ends a task without a push. */
	void end(PushTask task, Outcome outcome, String detail) {
		this.ended.add(task);
		note(task, outcome, detail);
	}

	/** Adds an entry to the push log, which explains decisions. */
	void note(PushTask task, Outcome outcome, String detail) {
		this.entries.add(new PushLogEntry(task.username(), task.room(), task.firstPosition(), task.lastPosition(),
				this.now, outcome, null, null, detail, task.thread()));
	}

	void postpone(Postponement postponement) {
		this.postponed.add(postponement);
	}

	void send(PushTask task, PushTask shown, String roomName, List<Device> devices) {
		this.sends.add(new Send(task, shown, roomName, devices));
	}

	List<PushTask> ended() {
		return this.ended;
	}

	List<Postponement> postponed() {
		return this.postponed;
	}

	List<PushLogEntry> entries() {
		return this.entries;
	}

	List<Send> sends() {
		return this.sends;
	}

}
