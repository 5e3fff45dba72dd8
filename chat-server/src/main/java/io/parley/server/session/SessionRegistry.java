package io.parley.server.session;

import java.security.Principal;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.micrometer.core.instrument.MeterRegistry;
import io.parley.server.error.ErrorCode;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketSession;

/** The table of the sessions that are open on this server. */
@Component
public class SessionRegistry {

	/** A client says so when it goes, or answers so when the server has said it. */
	private static final Set<Integer> GOODBYES = Set.of(CloseStatus.NORMAL.getCode(), CloseStatus.GOING_AWAY.getCode(),
			SessionWatch.TOKEN_EXPIRED.getCode());

	/** The attribute of a WebSocket that holds the key of its client's address. */
	public static final String ADDRESS = SessionRegistry.class.getName() + ".address";

	private final SessionCounts counts = new SessionCounts();

	private final Map<String, ChatSession> byId = new ConcurrentHashMap<>();

	private final Map<String, Set<ChatSession>> byUser = new ConcurrentHashMap<>();

	private final LimitProperties limits;

	private final SessionProperties properties;

	private final DeliveryThreadPool threads;

	private final SessionWatch watch;

	private final ApplicationEventPublisher events;

	SessionRegistry(LimitProperties limits, SessionProperties properties, DeliveryThreadPool threads,
			SessionWatch watch, ApplicationEventPublisher events, MeterRegistry meters) {
		this.limits = limits;
		this.properties = properties;
		this.threads = threads;
		this.watch = watch;
		this.events = events;
		meters.gaugeMapSize("chat.sessions", List.of(), this.byId);
		meters.gaugeMapSize("chat.users.online", List.of(), this.byUser);
	}

	/** The session with that id, or null when its socket has gone. */
	public @Nullable ChatSession find(@Nullable String id) {
		return (id != null) ? this.byId.get(id) : null;
	}

	/** The sessions of a user on this server. */
	public Collection<ChatSession> of(String user) {
		return this.byUser.getOrDefault(user, Set.of());
	}

	/** Whether the user has a session on this server. */
	public boolean online(String user) {
		return this.byUser.containsKey(user);
	}

	/** The users who have a session on this server. */
	Set<String> users() {
		return Set.copyOf(this.byUser.keySet());
	}

	/** How many sockets are open, with a user or not yet. */
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
		jetty.serve(session);
		this.byId.put(id, session);
		this.counts.opened(session);
		this.watch.watch(session);
	}

	/**
	 * Gives a session its user.
	 * @param heartBeat the two numbers that the client offers
	 * @throws io.parley.server.error.ChatException when the user has too many sessions
	 */
	public void connect(ChatSession session, Principal user, Instant expiresAt, long[] heartBeat) {
		this.byUser.compute(user.getName(), (name, sessions) -> {
			Set<ChatSession> set = (sessions != null) ? sessions : ConcurrentHashMap.newKeySet(2);
			if (LimitProperties.exceeds(set.size() + 1, this.limits.sessionsPerUser())) {
				throw ErrorCode.TOO_MANY_SESSIONS.because("At most " + this.limits.sessionsPerUser()
						+ " sessions of one user are allowed on a server; close one first.");
			}
			set.add(session);
			if (set.size() == 1) {
				this.events.publishEvent(new UserOnline(name));
			}
			return set;
		});
		this.counts.connected(session);
		session.connected(user, expiresAt, HeartBeat.agree(heartBeat, this.properties.heartBeat().toMillis()));
		if (session.ended()) {
			forget(session);
		}
	}

	void closed(String id, CloseStatus status) {
		ChatSession session = this.byId.remove(id);
		if (session != null) {
			this.counts.closed(session);
			session.end(!session.leaving() && !GOODBYES.contains(status.getCode()));
			forget(session);
			session.subscriptions().forEach((key, subscription) -> subscription.end());
		}
	}

	private void forget(ChatSession session) {
		Principal user = session.principal();
		if (user == null) {
			return;
		}
		this.byUser.computeIfPresent(user.getName(), (name, sessions) -> {
			sessions.remove(session);
			if (!sessions.isEmpty()) {
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
	 * A user's first session on this server is there. Published in order with
	 * {@link UserOffline}, one for each user at a time: listeners may not wait.
	 */
	public record UserOnline(String user) {
	}

	/** A user's last session on this server has gone. */
	public record UserOffline(String user) {
	}

}
