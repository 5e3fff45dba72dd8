package io.parley.persistence;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.parley.events.ThreadState;
import io.parley.persistence.ThreadTables.Reply;
import io.parley.store.event.RoomPosition;
import io.parley.store.thread.ThreadKey;

/** The replies of a batch: their numbers in their threads, and who takes part. */
class BatchReplies {

	private final ThreadTables tables;

	private final List<Reply> replies = new ArrayList<>();

	private final Map<ThreadKey, Long> participants = new HashMap<>();

	BatchReplies(ThreadTables tables) {
		this.tables = tables;
	}

	/**
	 * Adds a reply.
	 * @param before the thread without it
	 */
	void add(NumberedRecord reply, ThreadState before) {
		RoomPosition root = BatchChanges.root(reply);
		if (reply.position() > before.last()) {
			this.replies.add(new Reply(root, reply.position(), before.number() + 1));
		}
		else {
			this.tables.insertBefore(root, reply.position());
		}
		this.participants.merge(new ThreadKey(root, reply.event().sender()), reply.position(), Math::max);
		String author = reply.event().threadAuthor();
		if (author != null) {
			this.participants.merge(new ThreadKey(root, author), root.position(), Math::max);
		}
		reply.event()
			.mentionedUsers()
			.forEach((user) -> this.participants.merge(new ThreadKey(root, user), root.position(), Math::max));
	}

	void save() {
		if (!this.participants.isEmpty()) {
			this.tables.insert(this.replies);
			this.tables.addParticipants(this.participants);
		}
	}

}
