package io.parley.server.account;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import io.parley.server.database.Database;
import io.parley.server.error.ErrorCode;
import io.parley.server.issuer.ExternalToken;
import io.parley.server.issuer.IssuerRegistry;
import io.parley.server.session.ChatSession;
import io.parley.server.session.SessionRegistry;
import io.parley.store.account.ExternalIdentities;
import io.parley.store.account.ExternalSignOut;
import io.parley.store.account.ExternalSignOutRepository;
import jakarta.annotation.PostConstruct;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * Ends sign-ins with external issuers. This server does not store such sign-ins; it
 * stores which of their tokens are refused, until these have expired. All live entries
 * are in memory: read before this server accepts requests, and once a second from then
 * on. Safe for use by many threads.
 */
@Component
class ExternalSignIns {

	private static final Logger log = LoggerFactory.getLogger(ExternalSignIns.class);

	/**
	 * Clocks of servers may differ by this much, including the time until an end is
	 * committed.
	 */
	private static final Duration TOLERANCE = Duration.ofMinutes(1);

	private final ExternalSignOutRepository signOuts;

	private final ExternalIdentities identities;

	private final IssuerRegistry issuers;

	private final Database database;

	private final SessionRegistry sessions;

	private final ApplicationEventPublisher events;

	private final Clock clock;

	private final Map<String, ExternalSignOut> refused = new ConcurrentHashMap<>();

	private Instant readUntil;

	ExternalSignIns(ExternalSignOutRepository signOuts, ExternalIdentities identities, IssuerRegistry issuers,
			Database database, SessionRegistry sessions, ApplicationEventPublisher events, Clock clock) {
		this.signOuts = signOuts;
		this.identities = identities;
		this.issuers = issuers;
		this.database = database;
		this.sessions = sessions;
		this.events = events;
		this.clock = clock;
		this.readUntil = clock.instant();
	}

	/** Published inside the transaction that stores the entry. */
	record Ended(ExternalSignOut entry) {
	}

	@PostConstruct
	void load() {
		this.signOuts.live(this.readUntil).forEach(this::add);
	}

	/** Hears of what ended on other servers. Does not use {@link Database}. */
	@Scheduled(fixedDelay = 1_000)
	synchronized void poll() {
		if (this.issuers.isEmpty()) {
			return;
		}
		try {
			Instant now = this.clock.instant();
			this.signOuts.endedSince(this.readUntil.minus(TOLERANCE)).forEach(this::add);
			this.readUntil = now;
			this.refused.values().removeIf((entry) -> entry.expiresAt().isBefore(now));
		}
		catch (RuntimeException ex) {
			log.debug("Failed to read which external sign-ins have ended; retrying every second", ex);
		}
	}

	@Scheduled(initialDelay = 60_000, fixedDelay = 3_600_000)
	void cleanUp() {
		try {
			this.signOuts.removeExpired(this.clock.instant().minus(TOLERANCE));
		}
		catch (RuntimeException ex) {
			log.debug("Failed to remove expired entries; retrying in an hour", ex);
		}
	}

	/**
	 * Refuses a token and all tokens of the same sign-in that were issued until now.
	 * @throws io.parley.server.error.ChatException {@code store-unavailable}
	 */
	void end(Tokens.Identity identity) {
		Instant now = now();
		Instant until = identity.issuedAt().isAfter(now) ? identity.issuedAt() : now;
		// Other tokens of the sign-in may have been issued later than this one.
		ExternalSignOut entry = new ExternalSignOut(identity.signIn(), identity.user(), until, null, now,
				until.plus(ExternalToken.MAX_LIFE));
		this.database.query(() -> {
			this.signOuts.put(entry);
			return true;
		});
		add(entry);
	}

	/**
	 * Refuses all external tokens of a user that were issued until now. Joins the
	 * caller's transaction; takes effect when it commits.
	 * @param keep the id of a sign-in whose tokens are not refused, or ""
	 */
	void endAll(String username, String keep) {
		if (!this.identities.isExternal(username)) {
			return;
		}
		Instant now = now();
		String kept = ExternalToken.isExternal(keep) ? keep : null;
		String id = idOfAll(username);
		Optional<ExternalSignOut> before = this.signOuts.find(id);
		if (kept != null && before.isPresent() && !kept.equals(before.get().kept())) {
			// Tokens of the kept sign-in that were refused before stay refused.
			put(new ExternalSignOut(kept, username, before.get().issuedUntil(), null, now, before.get().expiresAt()));
		}
		put(new ExternalSignOut(id, username, now, kept, now, now.plus(ExternalToken.MAX_LIFE)));
	}

	private void put(ExternalSignOut entry) {
		this.signOuts.put(entry);
		this.events.publishEvent(new Ended(entry));
	}

	@TransactionalEventListener(fallbackExecution = true)
	void ended(Ended end) {
		add(end.entry());
	}

	private static String idOfAll(String username) {
		return ExternalToken.id("all", username);
	}

	private Instant now() {
		return this.clock.instant().truncatedTo(ChronoUnit.MILLIS);
	}

	/** Closes the sessions whose tokens are refused from now on. */
	private void add(ExternalSignOut entry) {
		ExternalSignOut before = this.refused.get(entry.id());
		if (entry.equals(before)) {
			return;
		}
		this.refused.merge(entry.id(), entry,
				(old, added) -> old.issuedUntil().isAfter(added.issuedUntil()) ? old : added);
		this.sessions.of(entry.username())
			.stream()
			.filter((session) -> affects(entry, session))
			.forEach(ChatSession::signOut);
	}

	/**
	 * Live sessions are not affected if only older tokens are refused: see
	 * {@link #endAll}.
	 */
	private static boolean affects(ExternalSignOut entry, ChatSession session) {
		String signIn = session.signIn();
		return !entry.issuedUntil().isBefore(entry.endedAt()) && ExternalToken.isExternal(signIn)
				&& (signIn.equals(entry.id())
						|| entry.id().equals(idOfAll(entry.username())) && !signIn.equals(entry.kept()));
	}

	/** Returns whether the token of an identity is refused. Asks no database. */
	boolean hasEnded(Tokens.Identity identity) {
		ExternalSignOut one = this.refused.get(identity.signIn());
		ExternalSignOut all = this.refused.get(idOfAll(identity.user()));
		return one != null && !identity.issuedAt().isAfter(one.issuedUntil()) || all != null
				&& !identity.issuedAt().isAfter(all.issuedUntil()) && !identity.signIn().equals(all.kept());
	}

	/**
	 * Requires that the token of an identity is not refused.
	 * @throws io.parley.server.error.ChatException {@code signed-out}
	 */
	void requireLive(Tokens.Identity identity) {
		if (hasEnded(identity)) {
			throw ErrorCode.SIGNED_OUT.because("This sign-in has ended; sign in again.");
		}
	}

}
