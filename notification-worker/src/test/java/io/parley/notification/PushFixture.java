package io.parley.notification;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.parley.events.EventRecord;
import io.parley.events.MessagePosted;
import io.parley.events.Positions;
import io.parley.events.RecordFormat;
import io.parley.events.RoomEvent;
import io.parley.log.RoomLog;
import io.parley.store.log.LogEpochs;
import io.parley.store.log.ReaderOffsets;
import io.parley.store.presence.NodePresence;
import io.parley.store.presence.RoomPresence;
import io.parley.store.push.Device;
import io.parley.store.push.DeviceRepository;
import io.parley.store.push.PushLogEntry;
import io.parley.store.push.PushLogRepository;
import io.parley.store.push.PushTaskRepository;
import io.parley.store.room.Member;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.Room;
import io.parley.store.room.RoomKind;
import io.parley.store.room.RoomMembers;
import io.parley.store.room.RoomRepository;
import io.parley.store.room.RoomRole;
import io.parley.store.thread.ThreadRepository;

import static org.awaitility.Awaitility.await;

/** Creates rooms, members and messages for a running worker. Each room has new names. */
record PushFixture(RoomRepository rooms, MemberRepository members, RoomMembers roomMembers, RoomLog log,
		LogEpochs epochs, ReaderOffsets offsets, NodePresence nodes, RoomPresence presence, DeviceRepository devices,
		PushTaskRepository tasks, PushLogRepository pushLog, ThreadRepository threads, RecordingProvider provider) {

	/** Creates a room with these members, each with one device. */
	Chat room(String... usernames) {
		Chat chat = chat(usernames);
		chat.members().forEach((username) -> device(username, username));
		return chat;
	}

	/** Creates a room whose members have no devices. */
	Chat chat(String... usernames) {
		String suffix = "-" + UUID.randomUUID().toString().substring(0, 8);
		String id = "room" + suffix;
		List<String> names = List.of(usernames).stream().map((name) -> name + suffix).toList();
		this.rooms.save(new Room(id, "The room", RoomKind.GROUP, null, names.size(), null, names.getFirst(),
				Instant.now(), true));
		this.members
			.saveAll(names.stream().map((name) -> new Member(id, name, RoomRole.MEMBER, Instant.now())).toList());
		return new Chat(id, suffix, names, this);
	}

	void device(String username, String token) {
		this.devices.register(username, Device.Kind.TOKEN, token, Device.Platform.ANDROID, Instant.now());
	}

	/** A room and its members. */
	record Chat(String id, String suffix, List<String> members, PushFixture push) {

		String name(String username) {
			return username + this.suffix;
		}

		/** Posts a message and returns its position. */
		long post(String sender, String text) {
			return append(new MessagePosted(this.id, UUID.randomUUID().toString(), name(sender),
					UUID.randomUUID().toString(), Instant.now(), text, Map.of()));
		}

		/** Posts a reply in the thread of a message of a user. */
		long reply(String sender, long root, String author, String text) {
			return append(new MessagePosted(this.id, UUID.randomUUID().toString(), name(sender),
					UUID.randomUUID().toString(), Instant.now(), text, Map.of(), false, Positions.NONE,
					new MessagePosted.InThread(root, name(author))));
		}

		long append(RoomEvent event) {
			return position(this.push.log.append(0, EventRecord.of(event).encode(RecordFormat.V2)).join());
		}

		long position(long offset) {
			return Positions.of(epoch(), offset);
		}

		private long epoch() {
			return this.push.epochs.current(this.push.log);
		}

		void awaitPlanned() {
			await().until(
					() -> this.push.offsets.next(NotificationWorker.READER, 0, epoch()) == this.push.log.endOffset(0));
		}

		/**
		 * Stores a follower like a node that renewed its lease at this time for this
		 * duration.
		 */
		void follow(String username, Instant renewed, Duration lease) {
			String node = "node" + this.suffix;
			this.push.presence.store(node, Map.of(name(username), Set.of(this.id)));
			this.push.nodes.begin(node, renewed.plus(lease));
			this.push.nodes.renew(node, renewed, renewed.plus(lease));
		}

		List<PushLogEntry.Outcome> outcomes(String username) {
			return this.push.pushLog.latest(name(username), this.id, 100)
				.stream()
				.map(PushLogEntry::outcome)
				.toList()
				.reversed();
		}

		boolean isPending(String username) {
			return this.push.tasks.pending(name(username), this.id).isPresent();
		}

	}

}
