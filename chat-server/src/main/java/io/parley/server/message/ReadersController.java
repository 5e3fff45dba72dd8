package io.parley.server.message;

import java.io.IOException;
import java.security.Principal;
import java.util.List;

import io.parley.events.MessagePosted;
import io.parley.events.Positions;
import io.parley.server.room.DirectBlocks;
import io.parley.server.room.ReadPositions;
import io.parley.server.room.RoomAccess;
import io.parley.server.room.RoomAction;
import io.parley.server.timeline.MessageLookup;
import io.parley.store.event.RoomPosition;
import io.parley.store.room.Readers;
import jakarta.servlet.http.HttpServletResponse;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * Lists who has read a message: {@code GET
 * /api/rooms/{room}/messages/{position}/readers}.
 */
@RestController
class ReadersController {

	private static final int MAX_NAMES = 200;

	private final RoomAccess access;

	private final MessageLookup messages;

	private final ReadPositions read;

	private final ThreadService threads;

	private final DirectBlocks blocks;

	private final PageLimits limits;

	private final JsonMapper json;

	ReadersController(RoomAccess access, MessageLookup messages, ReadPositions read, ThreadService threads,
			DirectBlocks blocks, PageLimits limits, JsonMapper json) {
		this.access = access;
		this.messages = messages;
		this.read = read;
		this.threads = threads;
		this.blocks = blocks;
		this.limits = limits;
		this.json = json;
	}

	/**
	 * The members who have read a message.
	 *
	 * @param readers the first of them, by name
	 */
	record MessageReaders(List<String> readers, long count) {
	}

	/** Limited like pages of history, because a large room has many markers. */
	@GetMapping(path = "/api/rooms/{room}/messages/{position}/readers", produces = MediaType.APPLICATION_JSON_VALUE)
	void readers(@PathVariable String room, @PathVariable long position, Principal user, HttpServletResponse response)
			throws IOException {
		this.access.require(RoomAction.READ, room, user.getName());
		this.limits.page(user.getName(), () -> this.json.writeValueAsBytes(readers(room, position, user.getName())),
				response);
	}

	/**
	 * Returns the members whose marker of the room, or of the thread for a reply, is not
	 * before the message. In a direct room that is blocked, users see only themselves.
	 */
	private MessageReaders readers(String room, long position, String user) {
		MessagePosted message = this.messages.require(room, position);
		Readers readers = (message.thread() != Positions.NONE)
				? this.threads.readers(new RoomPosition(room, message.thread()), position, MAX_NAMES)
				: this.read.readers(room, position, MAX_NAMES);
		if (!this.blocks.isOpen(room)) {
			List<String> own = readers.names().stream().filter(user::equals).toList();
			return new MessageReaders(own, own.size());
		}
		return new MessageReaders(readers.names(), readers.count());
	}

}
