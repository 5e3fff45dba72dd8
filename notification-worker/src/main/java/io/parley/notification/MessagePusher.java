package io.parley.notification;

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

	void push(MessagePosted message, long position) {
		String roomName = this.rooms.findById(message.room()).map(Room::getName).orElse(message.room());
		this.awayMembers.forEach(message, (username) -> this.provider.push(
				new PushNotification(username, message.room(), roomName, position, message.sender(), message.text())));
	}

}
