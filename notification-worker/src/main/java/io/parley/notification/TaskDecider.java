package io.parley.notification;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.parley.store.presence.RoomPresence;
import io.parley.store.push.Device;
import io.parley.store.push.DeviceRepository;
import io.parley.store.push.PushLevel;
import io.parley.store.push.PushLogEntry.Outcome;
import io.parley.store.push.PushSetting;
import io.parley.store.push.PushSettingRepository;
import io.parley.store.push.PushTask;
import io.parley.store.push.PushTaskRepository.Postponement;
import io.parley.store.push.RoomPushSetting;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.ReadMarkerRepository;
import io.parley.store.room.Room;
import io.parley.store.room.RoomRepository;
import org.jspecify.annotations.Nullable;

/**
 * Decides for due tasks whether to notify the user, and on which devices. Queries the
 * store once for each room of a batch.
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

	private final MemberRepository members;

	private final ReadMarkerRepository read;

	private final RoomPresence presence;

	private final PushSettingRepository settings;

	private final DeviceRepository devices;

	private final PushProperties properties;

	TaskDecider(RoomRepository rooms, MemberRepository members, ReadMarkerRepository read, RoomPresence presence,
			PushSettingRepository settings, DeviceRepository devices, PushProperties properties) {
		this.rooms = rooms;
		this.members = members;
		this.read = read;
		this.presence = presence;
		this.settings = settings;
		this.devices = devices;
		this.properties = properties;
	}

	/** Decides about all tasks of a batch. */
	TaskDecisions decide(List<PushTask> tasks, Instant now) {
		TaskDecisions decisions = new TaskDecisions(now);
		Set<String> usernames = tasks.stream().map(PushTask::username).collect(Collectors.toSet());
		Map<String, PushSetting> userSettings = this.settings.of(usernames);
		Map<String, List<Device>> userDevices = this.devices.of(usernames);
		tasks.stream().collect(Collectors.groupingBy(PushTask::room)).forEach((id, inRoom) -> {
			RoomFacts facts = facts(id, inRoom, now);
			for (PushTask task : inRoom) {
				decide(task, facts, userSettings.getOrDefault(task.username(), PushSetting.DEFAULT),
						userDevices.getOrDefault(task.username(), List.of()), decisions);
			}
		});
		return decisions;
	}

	/** The data about the users in one room. */
	private record RoomFacts(@Nullable Room room, Set<String> members, Map<String, Long> read,
			Map<String, Instant> followers, Map<String, RoomPushSetting> settings) {

		String name(PushTask task) {
			return (this.room == null || this.room.getDirectKey() != null) ? task.sender() : this.room.getName();
		}

	}

	private RoomFacts facts(String id, Collection<PushTask> tasks, Instant now) {
		Set<String> usernames = tasks.stream().map(PushTask::username).collect(Collectors.toSet());
		return new RoomFacts(this.rooms.findById(id).orElse(null),
				new HashSet<>(this.members.membersAmong(id, usernames)), this.read.positionsIn(id, usernames),
				this.presence.followersAmong(id, usernames, now), this.settings.of(id, usernames));
	}

	private void decide(PushTask task, RoomFacts facts, PushSetting user, List<Device> devices,
			TaskDecisions decisions) {
		String username = task.username();
		RoomPushSetting room = facts.settings().getOrDefault(username, RoomPushSetting.DEFAULT);
		Instant now = decisions.now();
		Instant liveUntil = facts.followers().get(username);
		PushSetting.QuietHours quiet = user.quiet();
		Instant quietUntil = (quiet != null) ? quiet.endAround(now) : null;
		String muteReason = muteReason(task, user, room, facts.room(), now);
		if (task.expiresAt().isBefore(now)) {
			decisions.end(task, Outcome.EXPIRED, "nobody was asked in time");
		}
		else if (!facts.members().contains(username)) {
			decisions.end(task, Outcome.NOT_A_MEMBER, "has left the room");
		}
		else if (facts.read().getOrDefault(username, 0L) >= task.lastPosition()) {
			decisions.end(task, Outcome.READ, "has read it");
		}
		else if (muteReason != null) {
			decisions.end(task, Outcome.MUTED, muteReason);
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
			send(task, facts.name(task), devices, decisions);
		}
	}

	private static Instant waitsSince(PushTask task, Instant now) {
		Instant since = task.waitsSince();
		return (since != null) ? since : now;
	}

	private @Nullable String muteReason(PushTask task, PushSetting user, RoomPushSetting setting, @Nullable Room room,
			Instant now) {
		PushLevel level = level(user, setting, room);
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
	 * for more.
	 */
	private PushLevel level(PushSetting user, RoomPushSetting setting, @Nullable Room room) {
		PushLevel level = setting.level();
		if (level != null) {
			return level;
		}
		boolean large = room != null && room.getMemberCount() >= this.properties.largeRoom();
		return (large && user.level() == PushLevel.ALL) ? PushLevel.MENTIONS : user.level();
	}

	private static boolean isAfter(@Nullable Instant time, Instant now) {
		return time != null && time.isAfter(now);
	}

	private void send(PushTask task, String roomName, List<Device> devices, TaskDecisions decisions) {
		List<Device> missing = devices.stream().filter((device) -> task.messagesFor(device.id()) > 0).toList();
		if (devices.isEmpty() && !this.properties.needsDevice()) {
			Device none = new Device("", task.username(), Device.Kind.TOKEN, "", NO_PLATFORM, Instant.EPOCH);
			decisions.send(task, roomName, List.of(none));
		}
		else if (devices.isEmpty()) {
			decisions.end(task, Outcome.NO_DEVICE, "has no device");
		}
		else if (missing.isEmpty()) {
			decisions.end(task, Outcome.GONE, "the devices that missed it are gone");
		}
		else {
			decisions.send(task, roomName, missing);
		}
	}

}
