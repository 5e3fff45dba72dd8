package io.parley.server.message;

import java.util.List;

import io.parley.events.EventType;
import io.parley.events.MessagePosted;
import io.parley.events.MessagePosted.InThread;
import io.parley.events.Positions;
import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.server.timeline.Threads;
import io.parley.store.event.RoomPosition;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/** Decides which messages users may answer, and in which threads they may reply. */
@Component
class ThreadReplies {

	private final MessageChanges messages;

	private final Threads threads;

	ThreadReplies(MessageChanges messages, Threads threads) {
		this.messages = messages;
		this.threads = threads;
	}

	/**
	 * Requires that a message may answer another one. An answer is only a position, so it
	 * may cross the deletion of the other.
	 * @param position the position of the other message; 0 for none
	 * @return the position
	 * @throws ChatException if there is no such message in the room, or it is deleted
	 */
	long requireAnswerable(String room, long position) {
		if (position != Positions.NONE) {
			MessageChanges.requireNotDeleted(this.messages.message(room, position));
		}
		return position;
	}

	/**
	 * Returns the thread for a reply, or null without one. A deleted root keeps its
	 * thread, but gets none.
	 * @param root the position of the root; 0 for none
	 * @throws ChatException if it cannot be a root
	 */
	@Nullable InThread inThread(String room, long root) {
		if (root == Positions.NONE) {
			return null;
		}
		this.messages.requireFormat(EventType.THREAD_POSTED);
		MessagePosted message = requireRoot(room, root);
		RoomPosition position = new RoomPosition(room, root);
		if (message.deleted() && this.threads.of(List.of(position)).thread(position).number() == 0) {
			MessageChanges.requireNotDeleted(message);
		}
		return new InThread(root, message.sender());
	}

	/**
	 * Returns the message of the room itself at a position.
	 * @throws ChatException if there is none
	 */
	MessagePosted requireRoot(String room, long root) {
		MessagePosted message = this.messages.message(room, root);
		if (message.thread() != Positions.NONE) {
			throw ErrorCode.BAD_MESSAGE.because("The message at " + root + " is a reply in the thread of "
					+ message.thread() + "; threads are not nested.");
		}
		return message;
	}

}
