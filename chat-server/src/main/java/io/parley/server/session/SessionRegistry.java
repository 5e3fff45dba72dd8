package io.parley.server.session;

import java.security.Principal;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.parley.server.error.ErrorCode;
import io.parley.server.limits.LimitProperties;
import io.parley.server.websocket.JettySocket;
import io.parley.store.presence.PresenceState;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketSession;

/**
 * The registry of the sessions that are open on this server. Safe for use by many
 * threads.
 */
@Component
public class SessionRegistry {

	/** Sent by a client that closes, or as its reply to the server's close frame. */
	private static final Set<Integer> ORDERLY_CLOSE_CODES = Set.of(CloseStatus.NORMAL.getCode(),
			CloseStatus.GOING_AWAY.getCode(), SessionWatch.TOKEN_EXPIRED.getCode(), ChatSession.SIGNED_OUT.getCode());

	private static final List<Integer> KNOWN_CLOSE_CODES = List.of(1000, 1001, 1002, 1005, 1006, 1008, 1009, 1011, 1013,
			4401, 4403, 4408, 4413);

	/** The WebSocket attribute that contains the limit key of the client's address. */
	static final String ADDRESS = SessionRegistry.class.getName() + ".address";

	private final SessionCounts counts = new SessionCounts();

	private final Map<String, ChatSession> byId = new ConcurrentHashMap<>();

	/** Closed sockets that Spring's handlers are still being told of. */
	private final AtomicInteger closing = new AtomicInteger();

	private final Map<String, Set<ChatSession>> byUser = new ConcurrentHashMap<>();

	private final LimitProperties limits;

	private final SessionProperties properties;

	private final DeliveryThreadPool threads;

	private final SessionWatch watch;

	private final ApplicationEventPublisher events;

	/** By known code: a client may choose among thousands, and those are one counter. */
	private final Map<Integer, Counter> closed;

	private final Counter closedOtherwise;

	SessionRegistry(LimitProperties limits, SessionProperties properties, DeliveryThreadPool threads,
			SessionWatch watch, ApplicationEventPublisher events, MeterRegistry meters) {
		this.limits = limits;
		this.properties = properties;
		this.threads = threads;
		this.watch = watch;
		this.events = events;
		this.closed = KNOWN_CLOSE_CODES.stream()
			.collect(Collectors.toMap(Function.identity(), (code) -> closed(meters, String.valueOf(code))));
		this.closedOtherwise = closed(meters, "other");
		meters.gaugeMapSize("chat.sessions", List.of(), this.byId);
		meters.gauge("chat.sessions.limit", limits, LimitProperties::sessions);
		meters.gaugeMapSize("chat.users.online", List.of(), this.byUser);
	}

	private static Counter closed(MeterRegistry meters, String code) {
		return meters.counter("chat.sessions.closed", "code", code);
	}

	/** Returns the session with this id, or null if its socket has closed. */
	public @Nullable ChatSession find(@Nullable String id) {
		return (id != null) ? this.byId.get(id) : null;
	}

	/** Returns the sessions of a user on this server. */
	public Collection<ChatSession> of(String user) {
		return this.byUser.getOrDefault(user, Set.of());
	}

	/** Returns whether the user has a session on this server. */
	public boolean online(String user) {
		return this.byUser.containsKey(user);
	}

	/** Returns how others see the user, as far as this server knows. */
	public PresenceState stateOf(String user) {
		return stateOf(of(user));
	}

	private static PresenceState stateOf(Collection<ChatSession> sessions) {
		return PresenceState.of(sessions.stream().map((session) -> PresenceState.of(session.away())).toList());
	}

	/** Returns the users who have a session on this server. */
	public Set<String> users() {
		return Set.copyOf(this.byUser.keySet());
	}

	/** Returns the number of open sockets, with or without a user. */
	public int count() {
		return this.byId.size();
	}

	SessionCounts counts() {
		return this.counts;
	}

	void open(WebSocketSession socket) {
		String id = socket.getId();
		int thread = this.threads.of(id);
		JettySocket jetty = new JettySocket(socket);
		String address = String.valueOf(socket.getAttributes().get(ADDRESS));
		ChatSession session = new ChatSession(id, address, jetty, thread, this.threads.writer(thread),
				this.properties.outboxBytes().toBytes());
		session.addTo(socket.getAttributes());
		jetty.attach(session);
		this.byId.put(id, session);
		this.counts.opened(session);
		this.watch.watch(session);
	}

	/**
	 * Assigns a session to its user.
	 * @param signIn the id of the sign-in of its token
	 * @param heartBeat the two numbers that the client offers
	 * @throws io.parley.server.error.ChatException if the user has too many sessions
	 */
	public void connect(ChatSession session, Principal user, String signIn, Instant expiresAt, long[] heartBeat) {
		this.byUser.compute(user.getName(), (name, sessions) -> {
			Set<ChatSession> set = (sessions != null) ? sessions : ConcurrentHashMap.newKeySet(2);
			if (LimitProperties.exceeds(set.size() + 1, this.limits.sessionsPerUser())) {
				throw ErrorCode.TOO_MANY_SESSIONS.because("At most " + this.limits.sessionsPerUser()
						+ " sessions of one user are allowed on a server; close one first.");
			}
			PresenceState before = stateOf(set);
			set.add(session);
			if (set.size() == 1) {
				this.events.publishEvent(new UserOnline(name));
			}
			else if (before == PresenceState.AWAY) {
				this.events.publishEvent(new UserAway(name, false, true));
			}
			return set;
		});
		this.counts.connected(session);
		session.connected(user, signIn, expiresAt, HeartBeat.agree(heartBeat, this.properties.heartBeat().toMillis()));
		if (session.ended()) {
			removeFromUser(session);
		}
	}

	/** Takes from a session whether its user is away there. */
	public void setAway(ChatSession session, boolean away) {
		this.byUser.computeIfPresent(session.user(), (name, sessions) -> {
			PresenceState before = stateOf(sessions);
			session.setAway(away);
			PresenceState after = stateOf(sessions);
			if (sessions.contains(session) && after != before) {
				this.events.publishEvent(new UserAway(name, after == PresenceState.AWAY, true));
			}
			return sessions;
		});
	}

	void closed(String id, CloseStatus status) {
		ChatSession session = this.byId.remove(id);
		if (session != null) {
			this.counts.closed(session);
			this.closed.getOrDefault(session.closeCode(status), this.closedOtherwise).increment();
			session.end(!session.isDisconnecting() && !ORDERLY_CLOSE_CODES.contains(status.getCode()));
			removeFromUser(session);
			session.subscriptions().forEach((key, subscription) -> subscription.end());
		}
	}

	void beginClosing() {
		this.closing.incrementAndGet();
	}

	void endClosing() {
		this.closing.decrementAndGet();
	}

	/**
	 * Returns whether all sessions have ended and Spring's handlers know it. Until then
	 * they must not stop.
	 */
	boolean isEmpty() {
		// In this order: a session is counted as closing before it is removed.
		return this.byId.isEmpty() && this.closing.get() == 0;
	}

	private void removeFromUser(ChatSession session) {
		Principal user = session.principal();
		if (user == null) {
			return;
		}
		this.byUser.computeIfPresent(user.getName(), (name, sessions) -> {
			PresenceState before = stateOf(sessions);
			sessions.remove(session);
			if (!sessions.isEmpty()) {
				if (stateOf(sessions) != before) {
					this.events.publishEvent(new UserAway(name, true, false));
				}
				return sessions;
			}
			this.events.publishEvent(new UserOffline(name));
			return null;
		});
	}

	void forEach(Consumer<ChatSession> action) {
		this.byId.values().forEach(action);
	}

	/**
	 * The first session of a user on this server has connected. Published in order with
	 * {@link UserOffline}, one event at a time for each user. Listeners must not block.
	 */
	public record UserOnline(String user) {
	}

	/**
	 * A user who stays connected to this server is away or back. Published like
	 * {@link UserOnline}.
	 *
	 * @param reported whether a client has said so or connected; false if the user is
	 * away because another session has ended, which the client may soon open again
	 */
	public record UserAway(String user, boolean away, boolean reported) {
	}

	/** The last session of a user on this server has ended. */
	public record UserOffline(String user) {
	}

}
