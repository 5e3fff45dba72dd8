package io.parley.notification;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.parley.events.Positions;
import io.parley.store.Chunks;
import io.parley.store.event.RoomPosition;
import io.parley.store.push.Device;
import io.parley.store.push.DeviceRepository;
import io.parley.store.push.PushKey;
import io.parley.store.push.PushLevel;
import io.parley.store.push.PushLogEntry.Outcome;
import io.parley.store.push.PushRecipients;
import io.parley.store.push.PushRecipients.Recipient;
import io.parley.store.push.PushSetting;
import io.parley.store.push.PushSettingRepository;
import io.parley.store.push.PushTask;
import io.parley.store.push.PushTaskRepository.Postponement;
import io.parley.store.push.RoomPushSetting;
import io.parley.store.room.Room;
import io.parley.store.room.RoomRepository;
import io.parley.store.thread.ThreadKey;
import io.parley.store.thread.ThreadRepository;
import io.parley.store.thread.ThreadStanding;
import org.jspecify.annotations.Nullable;

/**
 * Decides for due tasks whether to notify the user, and on which devices. The number of
 * queries does not depend on the number of rooms of a batch.
 */
class TaskDecider {

	/**
	 * The platform of the placeholder for a user without a device, where none is needed.
	 */
	private static final Device.Platform NO_PLATFORM = Device.Platform.WEB;

	/**
	 * How long to wait for a node on which the user follows the room, but which has not
	 * confirmed yet that it was alive after the message: as long as its lease lasts.
	 * After that it is unknown whether the user has received the message, and the user is
	 * notified.
	 */
	private static final Duration MAX_WAIT = Duration.ofSeconds(15);

	private final RoomRepository rooms;

	private final PushRecipients recipients;

	private final PushSettingRepository settings;

	private final DeviceRepository devices;

	private final ThreadRepository threads;

	private final PushContents contents;

	private final PushProperties properties;

	TaskDecider(RoomRepository rooms, PushRecipients recipients, PushSettingRepository settings,
			DeviceRepository devices, ThreadRepository threads, PushContents contents, PushProperties properties) {
		this.rooms = rooms;
		this.recipients = recipients;
		this.settings = settings;
		this.devices = devices;
		this.threads = threads;
		this.contents = contents;
		this.properties = properties;
	}

	/** Decides about all tasks of a batch. */
	TaskDecisions decide(List<PushTask> tasks, Instant now) {
		TaskDecisions decisions = new TaskDecisions(now);
		Set<String> usernames = tasks.stream().map(PushTask::username).collect(Collectors.toSet());
		Map<String, PushSetting> userSettings = this.settings.of(usernames);
		Map<String, List<Device>> userDevices = this.devices.of(usernames);
		Map<String, Room> rooms = new HashMap<>();
		Chunks.query(tasks.stream().map(PushTask::room).collect(Collectors.toSet()), this.rooms::findAllById)
			.forEach((room) -> rooms.put(room.getId(), room));
		Map<PushKey, Recipient> recipients = this.recipients
			.of(tasks.stream().map(TaskDecider::inRoom).collect(Collectors.toSet()), now);
		Map<ThreadKey, ThreadStanding> standings = this.threads.of(tasks.stream()
			.filter((task) -> task.thread() != Positions.NONE)
			.map(TaskDecider::inThread)
			.collect(Collectors.toSet()));
		Map<PushKey, PushTask> shownTasks = this.contents.shown(tasks);
		for (PushTask task : tasks) {
			Recipient recipient = recipients.get(inRoom(task));
			PushTask shown = shownTasks.get(task.key());
			if (task.expiresAt().isBefore(now)) {
				decisions.end(task, Outcome.EXPIRED, "nobody was asked in time");
			}
			else if (recipient == null) {
				decisions.end(task, Outcome.NOT_A_MEMBER, "has left the room");
			}
			else if (shown == null) {
				decisions.end(task, Outcome.DELETED, "the messages are deleted");
			}
			else {
				decide(task, shown, rooms.get(task.room()), recipient,
						standings.getOrDefault(inThread(task), ThreadStanding.NONE),
						userSettings.getOrDefault(task.username(), PushSetting.DEFAULT),
						userDevices.getOrDefault(task.username(), List.of()), decisions);
			}
		}
		return decisions;
	}

	private static PushKey inRoom(PushTask task) {
		return new PushKey(task.username(), task.room());
	}

	private static ThreadKey inThread(PushTask task) {
		return new ThreadKey(new RoomPosition(task.room(), task.thread()), task.username());
	}

	private void decide(PushTask task, PushTask shown, @Nullable Room room, Recipient recipient,
			ThreadStanding standing, PushSetting user, List<Device> devices, TaskDecisions decisions) {
		Instant now = decisions.now();
		Instant liveUntil = recipient.liveUntil();
		PushSetting.QuietHours quiet = user.quiet();
		Instant quietUntil = (quiet != null) ? quiet.endAround(now) : null;
		String muteReason = muteReason(task, user, recipient.setting(), room, now);
		long read = (task.thread() != Positions.NONE) ? standing.readTo() : recipient.read();
		if (read >= task.newsPosition()) {
			decisions.end(task, Outcome.READ, "has read it");
		}
		else if (muteReason != null) {
			decisions.end(task, Outcome.MUTED, muteReason);
		}
		else if (standing.choice() != null && !standing.follows() && !task.mentioned()) {
			decisions.end(task, Outcome.MUTED, "does not follow the thread");
		}
		else if (liveUntil != null && !liveUntil.isBefore(task.sentAt())) {
			decisions.end(task, Outcome.RECEIVED, "follows the room live");
		}
		else if (liveUntil != null && waitsSince(task, now).plus(MAX_WAIT).isAfter(now)) {
			Instant due = now.plus(TaskPlanner.RECHECK);
			decisions.postpone(new Postponement(task, due, task.expiresAt(), waitsSince(task, now)));
		}
		else if (quietUntil != null) {
			decisions.postpone(new Postponement(task, quietUntil, quietUntil.plus(this.properties.expiry()), null));
			decisions.note(task, Outcome.POSTPONED, "quiet hours until " + quietUntil);
		}
		else {
			send(task, shown, name(shown, room), devices, decisions);
		}
	}

	private static String name(PushTask task, @Nullable Room room) {
		return (room == null || room.getDirectKey() != null) ? task.sender() : room.getName();
	}

	private static Instant waitsSince(PushTask task, Instant now) {
		Instant since = task.waitsSince();
		return (since != null) ? since : now;
	}

	private @Nullable String muteReason(PushTask task, PushSetting user, RoomPushSetting setting, @Nullable Room room,
			Instant now) {
		PushLevel level = level(task, user, setting, room);
		if (isAfter(user.mutedUntil(), now) || isAfter(setting.mutedUntil(), now)) {
			return "muted for a time";
		}
		return switch (level) {
			case ALL -> null;
			case MENTIONS -> task.mentioned() ? null : "wants mentions only";
			case NONE -> "wants no notifications";
		};
	}

	/**
	 * Returns the level that applies: in large rooms mentions only, unless the user asks
	 * for more or follows the thread.
	 */
	private PushLevel level(PushTask task, PushSetting user, RoomPushSetting setting, @Nullable Room room) {
		PushLevel level = setting.level();
		if (level != null) {
			return level;
		}
		boolean large = task.thread() == Positions.NONE && room != null
				&& room.getMemberCount() >= this.properties.largeRoom();
		return (large && user.level() == PushLevel.ALL) ? PushLevel.MENTIONS : user.level();
	}

	private static boolean isAfter(@Nullable Instant time, Instant now) {
		return time != null && time.isAfter(now);
	}

	private void send(PushTask task, PushTask shown, String roomName, List<Device> devices, TaskDecisions decisions) {
		List<Device> missing = devices.stream().filter((device) -> task.messagesFor(device.id()) > 0).toList();
		if (devices.isEmpty() && !this.properties.needsDevice()) {
			Device none = new Device("", task.username(), Device.Kind.TOKEN, "", NO_PLATFORM, Instant.EPOCH);
			decisions.send(task, shown, roomName, List.of(none));
		}
		else if (devices.isEmpty()) {
			decisions.end(task, Outcome.NO_DEVICE, "has no device");
		}
		else if (missing.isEmpty()) {
			decisions.end(task, Outcome.GONE, "the devices that missed it are gone");
		}
		else {
			decisions.send(task, shown, roomName, missing);
		}
	}

}
