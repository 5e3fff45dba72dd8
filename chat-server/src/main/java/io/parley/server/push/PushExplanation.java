package io.parley.server.push;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.parley.events.EventRecord;
import io.parley.events.Positions;
import io.parley.notification.NotificationWorker;
import io.parley.server.timeline.History;
import io.parley.server.timeline.PositionConverter;
import io.parley.store.log.ReaderOffsets;
import io.parley.store.push.DeviceRepository;
import io.parley.store.push.PushLogEntry;
import io.parley.store.push.PushLogRepository;
import io.parley.store.push.PushTask;
import io.parley.store.room.Member;
import io.parley.store.room.MemberRepository;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/** Explains in one sentence why a push was sent or not. */
@Component
class PushExplanation {

	private final PushLogRepository log;

	private final History history;

	private final PositionConverter positions;

	private final ReaderOffsets offsets;

	private final MemberRepository members;

	private final DeviceRepository devices;

	PushExplanation(PushLogRepository log, History history, PositionConverter positions, ReaderOffsets offsets,
			MemberRepository members, DeviceRepository devices) {
		this.log = log;
		this.history = history;
		this.positions = positions;
		this.offsets = offsets;
		this.members = members;
		this.devices = devices;
	}

	/** Returns whether the notification-worker has read that position. */
	boolean isRead(String room, long position) {
		long epoch = this.positions.epoch();
		return Positions.epoch(position) < epoch || Positions.offset(position) < this.offsets
			.next(NotificationWorker.READER, this.positions.partition(room), epoch);
	}

	/** Returns the root of the thread of a message, or 0. */
	long thread(String room, long position) {
		return event(room, position).map(EventRecord::thread).orElse(Positions.NONE);
	}

	/** Explains the pushes of one message. */
	String of(String user, String room, long position, boolean read, List<PushLogEntry> entries,
			@Nullable PushTask pending) {
		if (!entries.isEmpty()) {
			return OutcomeSentence.of(entries) + ((pending != null) ? "; " + describePending(pending) : "") + ".";
		}
		if (pending != null) {
			return "Nothing is decided yet; " + describePending(pending) + ".";
		}
		return event(room, position).map((event) -> withoutEntry(user, event, read))
			.orElse("Room " + room + " has no event at position " + position + ".");
	}

	private Optional<EventRecord> event(String room, long position) {
		if (position < 1 || !this.history.isKnown(room, position)) {
			return Optional.empty();
		}
		return this.history.after(room, position - 1, 1)
			.stream()
			.filter((event) -> event.position() == position)
			.map((event) -> event.record())
			.findFirst();
	}

	private String withoutEntry(String user, EventRecord event, boolean read) {
		if (!event.type().isMessage()) {
			return "The event is not a message but " + event.type().wireName() + ": no push is sent for it.";
		}
		if (event.sender().equals(user)) {
			return "The user sent the message.";
		}
		Member member = this.members.findById(new Member.Key(event.room(), user)).orElse(null);
		if (member == null) {
			return "The user is not in the room.";
		}
		if (!read) {
			return "The notification-worker has not read the message yet.";
		}
		if (member.getJoinedAt().isAfter(event.sentAt())) {
			return "The user joined the room after the message was sent.";
		}
		if (this.devices.of(user).isEmpty()) {
			return "The user has no device now: nothing is recorded for a user without a device, nor if a live session "
					+ "had received the message.";
		}
		return event.type().isReply()
				? "The user did not follow the thread and was not mentioned, or "
						+ "a live session of the user had received the reply: in these cases nothing is recorded."
				: received(event.sentAt());
	}

	private String received(Instant sentAt) {
		return this.log.oldest()
			.filter(sentAt::isBefore)
			.map((oldest) -> "The message is older than the oldest entry that is kept, of " + oldest
					+ ": either a live session of the user had received it, or the entry has been deleted.")
			.orElse("A live session of the user had received the message when the notification-worker read it, or it "
					+ "had expired by then, or the room is so large that only mentions are pushed: in these cases "
					+ "nothing is recorded.");
	}

	/** Explains the pushes of a room. */
	String of(String user, String room, List<PushLogEntry> entries, @Nullable PushTask pending) {
		String latest = entries.isEmpty() ? "Nothing is recorded" : "Entries, the newest first: " + entries.size();
		if (pending != null) {
			return latest + "; " + describePending(pending) + ".";
		}
		return this.members.existsByRoomIdAndUsername(room, user) ? latest + "; nothing is waiting."
				: latest + "; the user is not in the room.";
	}

	private static String describePending(PushTask task) {
		String attempts = (task.attempts() > 0) ? ", failed attempts: " + task.attempts() : "";
		return "waiting until " + task.dueAt() + attempts;
	}

}
