package io.parley.baseline;

import org.springframework.context.annotation.Profile;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.stereotype.Controller;

/**
 * Forwards each message of a room to all subscribers of the room.
 */
@Controller
@Profile("!inline")
class RoomController {

	@MessageMapping("rooms.{room}.send")
	@SendTo("/topic/rooms.{room}")
	ChatMessage send(ChatMessage message) {
		return message;
	}

}
