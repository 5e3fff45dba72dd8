package io.parley.notification;

import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

import io.parley.events.EventRecord;
import io.parley.events.Mentions;
import io.parley.events.MessageEdited;
import io.parley.events.MessagePosted;
import io.parley.events.Positions;
import org.jspecify.annotations.Nullable;

/**
 * A message of which users are notified, because it was posted, or because it was edited
 * and mentions them now.
 *
 * @param thread the root of its thread, or 0
 * @param participants those who take part in the thread because of a reply, besides its
 * sender: the author of the root, as far as known, and whom the reply names
 * @param position the position of the message in its room
 * @param sentAt when it was sent or edited, but not later than when that was read,
 * whatever the clock of its server says
 * @param mentioned those whom it mentions; of an edit those whom it mentions first
 * @param edit the position of the edit; 0 if the message was posted
 */
record PositionedMessage(String room, long thread, Set<String> participants, String sender, String text, long position,
		Instant sentAt, Mentioned mentioned, long edit) {

	static PositionedMessage of(MessagePosted message, long position, Instant sentAt) {
		return new PositionedMessage(message.room(), message.thread(), participants(message), message.sender(),
				message.text(), position, sentAt, Mentioned.by(message), Positions.NONE);
	}

	private static Set<String> participants(MessagePosted message) {
		MessagePosted.InThread thread = message.inThread();
		if (thread == null) {
			return Set.of();
		}
		Set<String> participants = new HashSet<>();
		Mentions mentions = message.mentions();
		if (mentions != null) {
			participants.addAll(mentions.users());
		}
		if (!thread.author().isEmpty()) {
			participants.add(thread.author());
		}
		return participants;
	}

	/** Returns the edited message, or null if the edit mentions nobody first. */
	static @Nullable PositionedMessage of(EventRecord edit, long position, Instant sentAt) {
		Mentions before = edit.mentionedBefore();
		if (before == null || !(edit.event() instanceof MessageEdited edited)) {
			return null;
		}
		Mentioned mentioned = Mentioned.newly(before, edited.mentions());
		return mentioned.isEmpty() ? null : new PositionedMessage(edited.room(), edited.thread(), Set.of(),
				edited.sender(), edited.text(), edited.target(), sentAt, mentioned, position);
	}

	/** Returns whether a member is notified of this only if it mentions them. */
	boolean isEdit() {
		return this.edit != Positions.NONE;
	}

	/** Returns the position of what mentions the users. */
	long mention() {
		return isEdit() ? this.edit : this.position;
	}

}
