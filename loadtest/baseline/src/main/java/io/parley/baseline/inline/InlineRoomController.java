package io.parley.baseline.inline;

import io.parley.baseline.ChatMessage;

import org.springframework.context.annotation.Profile;
import org.springframework.messaging.handler.annotation.DestinationVariable;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.stereotype.Controller;

/**
 * Stores each message of a room, pushes it to offline members and then forwards it.
 */
@Controller
@Profile("inline")
class InlineRoomController {

	private final Posting posting;

	InlineRoomController(Posting posting) {
		this.posting = posting;
	}

	@MessageMapping("rooms.{room}.send")
	@SendTo("/topic/rooms.{room}")
	ChatMessage send(@DestinationVariable String room, ChatMessage message) {
		this.posting.post(room, message);
		return message;
	}

}
