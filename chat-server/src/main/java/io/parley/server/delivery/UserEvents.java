package io.parley.server.delivery;

import java.time.Instant;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import io.parley.events.Destination;
import io.parley.server.error.ChatException;
import io.parley.server.error.Refusals;
import io.parley.server.session.ChatSession;
import io.parley.server.session.OutboundFrames;
import io.parley.server.session.SessionRegistry;
import io.parley.server.session.SessionSubscription;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.stereotype.Component;

/** Sends the events that concern one user, to {@code /user/queue/events}. */
@Component
public class UserEvents {

	private static final Destination DESTINATION = new Destination.UserEvents();

	private static final SessionSubscription SUBSCRIPTION = new UserSubscription();

	private final SessionRegistry sessions;

	private final OutboundFrames outbound;

	private final NodeMessenger messenger;

	private final JsonMapper json;

	private final Refusals refusals;

	UserEvents(SessionRegistry sessions, OutboundFrames outbound, NodeMessenger messenger, JsonMapper json,
			Refusals refusals) {
		this.sessions = sessions;
		this.messenger = messenger;
		this.outbound = outbound;
		this.json = json;
		this.refusals = refusals;
	}

	/** An event as sent over the wire; nulls are omitted. */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	public sealed interface UserEvent {

	}

	/**
	 * A message of the user is durable, or a change of one.
	 *
	 * @param clientId null if the client gave none
	 * @param id null for a reaction without effect, which needs no event
	 */
	public record Accepted(String type, @Nullable String clientId, String room, long position,
			@Nullable String id) implements UserEvent {

		public Accepted(@Nullable String clientId, String room, long position, @Nullable String id) {
			this("accepted", clientId, room, position, id);
		}

	}

	/** The user was added to a room. */
	public record RoomAdded(String type, String room, @Nullable String name, String kind,
			String by) implements UserEvent {

		public RoomAdded(String room, @Nullable String name, String kind, String by) {
			this("room.added", room, name, kind, by);
		}

	}

	/** The user is no longer in a room. */
	public record RoomRemoved(String type, String room, String by) implements UserEvent {

		public RoomRemoved(String room, String by) {
			this("room.removed", room, by);
		}

	}

	/** The user has another role in a room, or was muted or unmuted. */
	public record RoleChanged(String type, String room, String role, @Nullable String mutedUntil,
			String by) implements UserEvent {

		public RoleChanged(String room, String role, @Nullable String mutedUntil, String by) {
			this("role.changed", room, role, mutedUntil, by);
		}

	}

	/**
	 * The unread count of a room changed for the user.
	 *
	 * @param mentions how many of the unread messages mention the user
	 */
	public record UnreadChanged(String type, String room, long unread, long mentions, long head,
			long read) implements UserEvent {

		public UnreadChanged(String room, long unread, long mentions, long head, long read) {
			this("unread.changed", room, unread, mentions, head, read);
		}

	}

	/**
	 * A thread changed for the user.
	 *
	 * @param thread the root
	 * @param following whether the user follows it; if not, nothing is unread
	 * @param head the position of the last reply
	 */
	public record ThreadChanged(String type, String room, long thread, boolean following, long unread, long head,
			long read) implements UserEvent {

		public ThreadChanged(String room, long thread, boolean following, long unread, long head, long read) {
			this("thread.changed", room, thread, following, unread, head, read);
		}

	}

	/**
	 * A draft of the user changed on some device.
	 *
	 * @param thread the root; 0 for the room itself
	 * @param version grows with each change of the draft
	 * @param clientId given by the client that changed it, or null
	 * @param draft JSON; null if the draft was removed
	 */
	public record DraftChanged(String type, String room, long thread, long version, Instant changedAt,
			@Nullable String clientId, @JsonRawValue @Nullable String draft) implements UserEvent {

		public DraftChanged(String room, long thread, long version, Instant changedAt, @Nullable String clientId,
				@Nullable String draft) {
			this("draft.changed", room, thread, version, changedAt, clientId, draft);
		}

	}

	/**
	 * A message of the user that is sent later changed, or was sent.
	 *
	 * @param change what happened
	 */
	public record ScheduledChanged(String type, String change, ScheduledView scheduled) implements UserEvent {

		public ScheduledChanged(String change, ScheduledView scheduled) {
			this("scheduled.changed", change, scheduled);
		}

	}

	/**
	 * A message that is sent later, as its author sees it.
	 *
	 * @param version grows with each change
	 * @param message JSON; null once it was sent or cancelled
	 * @param position null unless it was sent
	 * @param code why it was refused; null unless it has failed
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	public record ScheduledView(long id, String room, String clientId, Instant sendAt, String state, long version,
			@JsonRawValue @Nullable String message, @Nullable Long position, @Nullable String code,
			@Nullable String reason) {
	}

	/**
	 * A frame of the session was rejected.
	 *
	 * @param retryAfter how many seconds to wait before a retry; null where it is of no
	 * use
	 */
	record Refused(String type, String code, String message, @Nullable Long retryAfter, @Nullable String clientId,
			@Nullable String destination, @Nullable String receipt) implements UserEvent {

	}

	/** Subscribes a session. The subscription is live at once. */
	public void subscribe(ChatSession session, String id, @Nullable String receipt) {
		session.subscriptions().put(id, SUBSCRIPTION);
		this.outbound.receipt(session, receipt);
	}

	/** Returns whether the session has subscribed. */
	public static boolean isSubscribed(ChatSession session) {
		return session.subscriptions().any((subscription) -> subscription == SUBSCRIPTION);
	}

	/** Sends an event to all sessions of a user, on all servers. */
	public void send(String user, UserEvent event) {
		byte[] body = this.json.writeValueAsBytes(event);
		sendHere(user, body);
		this.messenger.broadcast(NodeSignal.Kind.USER, user, body);
	}

	/**
	 * Sends an event to all sessions of a user on this server. For events that each
	 * server detects itself.
	 */
	public void sendHere(String user, UserEvent event) {
		if (this.sessions.online(user)) {
			sendHere(user, this.json.writeValueAsBytes(event));
		}
	}

	/** Sends an encoded event to all sessions of a user on this server. */
	void sendHere(String user, byte[] body) {
		this.sessions.of(user).forEach((session) -> send(session, body));
	}

	/** Sends an event to one session. */
	void send(ChatSession session, UserEvent event) {
		send(session, this.json.writeValueAsBytes(event));
	}

	/** Reports to a session that one of its frames was rejected. */
	public void sendError(ChatSession session, ChatException error, @Nullable String destination,
			@Nullable String receipt) {
		this.refusals.count(error.errorCode());
		send(session,
				this.json.writeValueAsBytes(new Refused("error", error.errorCode().code(), error.reason(),
						error.errorCode().isTemporary() ? error.retryAfterSeconds() : null, error.clientId(),
						destination, receipt)));
	}

	private void send(ChatSession session, byte[] body) {
		session.subscriptions().forEach((id, subscription) -> {
			if (subscription == SUBSCRIPTION) {
				this.outbound.message(session, id, DESTINATION, body);
			}
		});
	}

	private static final class UserSubscription implements SessionSubscription {

		@Override
		public Destination destination() {
			return DESTINATION;
		}

		@Override
		public void end() {
		}

	}

}
