package io.parley.server.limits;

import io.parley.server.error.ErrorCode;
import jakarta.validation.constraints.PositiveOrZero;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * Limits for one user, one session and the whole server. A value of 0 switches a limit
 * off.
 *
 * @param messageBytes bytes of the body of one SEND
 * @param sessionsPerUser live sessions of one user on this server
 * @param subscriptionsPerSession subscriptions of one session
 * @param sendsPerSecond messages of one user per second, over all devices; five times as
 * many in a burst
 * @param reactionsPerSecond reactions of one user per second, over all devices; five
 * times as many in a burst
 * @param draftsPerSecond changes of drafts of one user per second, over all devices; five
 * times as many in a burst
 * @param draftsPerUser drafts of one user
 * @param scheduledPerUser messages of one user that are sent later or could not be sent
 * @param deliveredPerSecond reports of one user that messages were delivered, per second,
 * over all devices; five times as many in a burst
 * @param reportsPerMinute messages that one user reports per minute; as many in a burst
 * @param roomsPerMinute rooms that one user opens per minute; as many in a burst
 * @param invitationsPerMinute users whom one user brings into rooms per minute; as many
 * in a burst
 * @param repeatedInvitationsPerMinute how often per minute one user brings the same other
 * user into a room; as many in a burst
 * @param subscribesPerSecond SUBSCRIBE frames of one session per second; ten times as
 * many in a burst
 * @param replayBytes memory of all replays together, for events that were read and that
 * no socket has taken yet; a client for which no memory is left gets a {@code gap} event
 * @param connectsPerSecond new WebSocket sessions per second on this server
 * @param sessions live WebSocket sessions on this server
 */
@Validated
@ConfigurationProperties("chat.limits")
public record LimitProperties(@PositiveOrZero @DefaultValue("16384") int messageBytes,
		@PositiveOrZero @DefaultValue("20") int sessionsPerUser,
		@PositiveOrZero @DefaultValue("200") int subscriptionsPerSession,
		@PositiveOrZero @DefaultValue("20") int sendsPerSecond,
		@PositiveOrZero @DefaultValue("10") int reactionsPerSecond,
		@PositiveOrZero @DefaultValue("5") int draftsPerSecond, @PositiveOrZero @DefaultValue("200") int draftsPerUser,
		@PositiveOrZero @DefaultValue("100") int scheduledPerUser,
		@PositiveOrZero @DefaultValue("20") int deliveredPerSecond,
		@PositiveOrZero @DefaultValue("10") int reportsPerMinute,
		@PositiveOrZero @DefaultValue("120") int roomsPerMinute,
		@PositiveOrZero @DefaultValue("1000") int invitationsPerMinute,
		@PositiveOrZero @DefaultValue("60") int repeatedInvitationsPerMinute,
		@PositiveOrZero @DefaultValue("20") int subscribesPerSecond, @DefaultValue("64MB") DataSize replayBytes,
		@PositiveOrZero @DefaultValue("500") int connectsPerSecond,
		@PositiveOrZero @DefaultValue("19000") int sessions) {

	/**
	 * Checks the size of a message body.
	 * @throws io.parley.server.error.ChatException if the body is too large
	 */
	public void requireMessageFits(int bytes) {
		if (exceeds(bytes, this.messageBytes)) {
			throw ErrorCode.MESSAGE_TOO_LARGE.because(
					"The message has " + bytes + " bytes; at most " + this.messageBytes + " are allowed. Shorten it.");
		}
	}

	/**
	 * Checks the number of subscriptions of a session.
	 * @throws io.parley.server.error.ChatException if there are too many
	 */
	public void requireSubscriptionFits(int count) {
		if (exceeds(count, this.subscriptionsPerSession)) {
			throw ErrorCode.TOO_MANY_SUBSCRIPTIONS.because("At most " + this.subscriptionsPerSession
					+ " subscriptions of one session are allowed; unsubscribe first.");
		}
	}

	/** Returns whether a count exceeds a limit. A limit of 0 is never exceeded. */
	public static boolean exceeds(int count, int limit) {
		return limit > 0 && count > limit;
	}

}
