package io.parley.notification;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import io.parley.events.MessagePosted;
import io.parley.store.room.Room;
import io.parley.store.room.RoomRepository;

/** Pushes one message to everybody who is away. */
class MessagePusher {

	private final AwayMembers awayMembers;

	private final RoomRepository rooms;

	private final PushProvider provider;

	MessagePusher(AwayMembers awayMembers, RoomRepository rooms, PushProvider provider) {
		this.awayMembers = awayMembers;
		this.rooms = rooms;
		this.provider = provider;
	}

	/** Who is away is asked once for each room of a batch. */
	Batch batch() {
		return new Batch();
	}

	/** For one thread and a short time. */
	final class Batch {

		private final Map<String, Audience> audiences = new HashMap<>();

		void push(MessagePosted message, long position) {
			Audience audience = this.audiences.computeIfAbsent(message.room(), MessagePusher.this::audience);
			Consumer<String> push = (username) -> {
				if (!username.equals(message.sender())) {
					MessagePusher.this.provider.push(new PushNotification(username, message.room(), audience.roomName(),
							position, message.sender(), message.text()));
				}
			};
			audience.away()
				.ifPresentOrElse((away) -> away.forEach(push),
						() -> MessagePusher.this.awayMembers.forEach(message.room(), push));
		}

	}

	/** Whom to push in a room; not listed when there may be very many. */
	private record Audience(String roomName, Optional<List<String>> away) {
	}

	private Audience audience(String room) {
		return new Audience(this.rooms.findById(room).map(Room::getName).orElse(room), this.awayMembers.ofSmall(room));
	}

}
