package io.parley.notification;

import java.util.Set;

import io.parley.events.Mentions;
import io.parley.events.MessagePosted;
import org.jspecify.annotations.Nullable;

/**
 * The users whom a message mentions: those named by its sender, or if the sender does not
 * say, those whose names are in the text.
 *
 * @param names some of them may not be members
 * @param room whether all members are mentioned
 * @param except those who were mentioned before
 */
record Mentioned(Set<String> names, boolean room, @Nullable Mentions except) {

	static Mentioned by(MessagePosted message) {
		Mentions mentions = message.mentions();
		return (mentions != null) ? new Mentioned(Set.copyOf(mentions.users()), mentions.room(), null)
				: new Mentioned(NamesInText.in(message.text()), false, null);
	}

	/** Returns those whom an edit mentions first. */
	static Mentioned newly(Mentions before, @Nullable Mentions after) {
		return (after != null) ? new Mentioned(Set.copyOf(after.users()), after.room(), before)
				: new Mentioned(Set.of(), false, before);
	}

	/** Returns whether a member of the room is one of them. */
	boolean includes(String username) {
		return (this.room || this.names.contains(username)) && (this.except == null || !this.except.include(username));
	}

	boolean isEmpty() {
		return !this.room && this.names.stream().noneMatch(this::includes);
	}

}
