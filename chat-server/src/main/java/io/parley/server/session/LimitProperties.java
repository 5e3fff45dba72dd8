package io.parley.server.session;

import io.parley.server.error.ErrorCode;
import jakarta.validation.constraints.PositiveOrZero;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * What one user, one session and the whole server may use. 0 switches a limit off.
 *
 * @param messageBytes the body of one SEND
 * @param sessionsPerUser live sessions of one user on this server
 * @param subscriptionsPerSession subscriptions of one session
 * @param sendsPerSecond messages of one user, over all devices; five times as many at
 * once
 * @param roomsPerMinute rooms that one user opens; as many at once
 * @param invitationsPerMinute users whom one user brings into rooms; as many at once
 * @param repeatedInvitationsPerMinute how often one user brings the same other user into
 * a room; as many at once
 * @param subscribesPerSecond SUBSCRIBE frames of one session; ten times as many at once
 * @param replayBytes memory of all replays together, for events that were read and that
 * no socket has taken yet; a client for which there is none is told of a gap
 * @param connectsPerSecond new WebSocket sessions on this server
 * @param sessions live WebSocket sessions on this server
 */
@Validated
@ConfigurationProperties("chat.limits")
public record LimitProperties(@PositiveOrZero @DefaultValue("16384") int messageBytes,
		@PositiveOrZero @DefaultValue("20") int sessionsPerUser,
		@PositiveOrZero @DefaultValue("200") int subscriptionsPerSession,
		@PositiveOrZero @DefaultValue("20") int sendsPerSecond, @PositiveOrZero @DefaultValue("120") int roomsPerMinute,
		@PositiveOrZero @DefaultValue("1000") int invitationsPerMinute,
		@PositiveOrZero @DefaultValue("60") int repeatedInvitationsPerMinute,
		@PositiveOrZero @DefaultValue("20") int subscribesPerSecond, @DefaultValue("64MB") DataSize replayBytes,
		@PositiveOrZero @DefaultValue("500") int connectsPerSecond,
		@PositiveOrZero @DefaultValue("19000") int sessions) {

	/**
	 * Refuses the body of a message that is too large.
	 * @throws io.parley.server.error.ChatException when it is
	 */
	public void requireMessageFits(int bytes) {
		if (exceeds(bytes, this.messageBytes)) {
			throw ErrorCode.MESSAGE_TOO_LARGE.because(
					"The message has " + bytes + " bytes; at most " + this.messageBytes + " are allowed. Shorten it.");
		}
	}

	/**
	 * Refuses one subscription more than a session may have.
	 * @throws io.parley.server.error.ChatException when it is
	 */
	public void requireSubscriptionFits(int count) {
		if (exceeds(count, this.subscriptionsPerSession)) {
			throw ErrorCode.TOO_MANY_SUBSCRIPTIONS.because("At most " + this.subscriptionsPerSession
					+ " subscriptions of one session are allowed; unsubscribe first.");
		}
	}

	/** Whether a count is above a limit that is not switched off. */
	static boolean exceeds(int count, int limit) {
		return limit > 0 && count > limit;
	}

}
