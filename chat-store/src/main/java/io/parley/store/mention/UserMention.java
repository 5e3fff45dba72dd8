package io.parley.store.mention;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;

import io.parley.store.event.RoomPosition;

/**
 * A message that mentions a user.
 *
 * @param at when the message was sent, or edited so that it mentions the user
 */
public record UserMention(RoomPosition message, Instant at) {

	/** The order in which users see their mentions: the newest first. */
	public static final Comparator<UserMention> NEWEST_FIRST = Comparator.comparing(UserMention::at)
		.thenComparing((mention) -> mention.message().room())
		.thenComparing((mention) -> mention.message().position())
		.reversed();

	public UserMention {
		at = at.truncatedTo(ChronoUnit.MILLIS);
	}

}
