package io.parley.server.account;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.parley.server.audit.Actor;
import io.parley.server.audit.AuditAction;
import io.parley.server.audit.AuditLog;
import io.parley.server.database.Database;
import io.parley.server.database.LastKnownCache;
import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.server.error.StoreFailures;
import io.parley.store.account.Account;
import io.parley.store.account.SignIn;
import io.parley.store.account.SignInRepository;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Starts, continues and ends the sign-ins of the users. Safe for use by many threads.
 */
@Component
class SignInService implements SignInEnder {

	private static final Logger log = LoggerFactory.getLogger(SignInService.class);

	/** An end is heard of within a second; this is the net below. */
	private static final Duration CACHED = Duration.ofSeconds(30);

	private static final int MAX_CACHED = 100_000;

	/** How long an ended sign-in stays in the database, with its reason. */
	private static final Duration KEPT = Duration.ofDays(30);

	private static final int CLEANUP_BATCH = 1_000;

	private static final String NONE = "";

	private final SecureRandom random = new SecureRandom();

	private final SignInRepository repository;

	private final EndedSignInCache ended;

	private final ExternalSignIns external;

	private final Database database;

	private final SignInProperties properties;

	private final Clock clock;

	private final ApplicationEventPublisher events;

	private final MeterRegistry meters;

	private final AuditLog audit;

	private final LastKnownCache<String, Optional<SignInState>> known;

	SignInService(SignInRepository repository, EndedSignInCache ended, ExternalSignIns external, Database database,
			SignInProperties properties, Clock clock, ApplicationEventPublisher events, MeterRegistry meters,
			AuditLog audit) {
		this.repository = repository;
		this.ended = ended;
		this.external = external;
		this.database = database;
		this.properties = properties;
		this.clock = clock;
		this.events = events;
		this.meters = meters;
		for (SignInEnd reason : SignInEnd.values()) {
			ends(reason);
		}
		this.audit = audit;
		this.known = new LastKnownCache<>(database, MAX_CACHED, (state) -> CACHED, this::find);
	}

	/**
	 * Queries a sign-in. Its generation is the one in memory if that is higher, because
	 * it rose while the database was unavailable.
	 */
	private Optional<SignInState> find(String id) {
		return this.repository.find(id).map(SignInState::of).map(this::withLastKnownGeneration);
	}

	private SignInState withLastKnownGeneration(SignInState stored) {
		return this.known.lastKnown(stored.id())
			.flatMap(Function.identity())
			.filter((state) -> !stored.ended() && state.generation() > stored.generation())
			.orElse(stored);
	}

	private Instant now() {
		return this.clock.instant().truncatedTo(ChronoUnit.MILLIS);
	}

	/**
	 * Signs in on a device.
	 * @param account as read when the password was checked
	 * @param device a name for the list of signed-in devices
	 * @throws ChatException {@code unauthorized} if all sign-ins of the account were
	 * ended in the meantime, for example because the password was changed
	 */
	SignInState start(Account account, String device) {
		Instant now = now();
		String user = account.getUsername();
		SignIn signIn = new SignIn(newId(), user, device, now, this.properties.expiry(now, now));
		List<String> surplus = this.repository
			.start(signIn, account.getSignInVersion(), this.properties.maxSignIns(), SignInEnd.TOO_MANY.name())
			.orElseThrow(() -> ErrorCode.UNAUTHORIZED.because("The account was changed meanwhile; sign in again."));
		ended(user, surplus, SignInEnd.TOO_MANY);
		return SignInState.of(signIn);
	}

	private String newId() {
		byte[] id = new byte[16];
		this.random.nextBytes(id);
		return Base64.getUrlEncoder().withoutPadding().encodeToString(id);
	}

	private SignInState remember(SignInState state) {
		this.known.put(state.id(), Optional.of(state));
		if (this.ended.contains(state.id())) {
			// It has ended meanwhile. Without the database it must count as unknown, not
			// as live.
			this.known.forget(state.id());
		}
		return state;
	}

	/**
	 * Continues a sign-in with a refresh token, and ends it if the token was spent
	 * before.
	 *
	 * <p>
	 * While the database is unavailable, a sign-in that this server knows continues too:
	 * the generation rises in memory, and the next refresh with the database stores it.
	 * Until then, only this server recognises the tokens that were spent meanwhile.
	 * @return the sign-in, with the generation of the next refresh token
	 * @throws ChatException {@code signed-out} if the sign-in has ended,
	 * {@code unauthorized} if it or its account does not exist, {@code store-unavailable}
	 * if that cannot be checked
	 */
	SignInState refresh(String id, String user, long generation) {
		requireNotEnded(id);
		try {
			return remember(this.database.query(() -> rotate(id, user, generation)));
		}
		catch (ChatException ex) {
			if (!StoreFailures.isUnavailable(ex)) {
				throw ex;
			}
			return remember(rotateInMemory(id, user, generation));
		}
	}

	private SignInState rotate(String id, String user, long generation) {
		Instant now = now();
		while (true) {
			SignInState state = requireLive(find(id), user);
			if (this.properties.hasExpired(state.createdAt(), state.expiresAt(), now)) {
				end(state, SignInEnd.EXPIRED);
				throw signedOut();
			}
			if (state.isRepeated(generation, now, this.properties.refreshGrace())) {
				return state;
			}
			if (!state.isNewest(generation)) {
				log.warn("A spent refresh token of user '{}' was used: their sign-in has ended, because "
						+ "somebody else may have a copy of the token", user);
				end(state, SignInEnd.REUSE);
				throw signedOut();
			}
			SignInState next = next(state, generation, now);
			if (this.repository.rotate(id, next.generation(), now, next.expiresAt()) > 0) {
				return next;
			}
			// Another request has spent the same token, or ended the sign-in.
		}
	}

	private SignInState rotateInMemory(String id, String user, long generation) {
		Instant now = now();
		SignInState state = requireLive(this.known.get(id), user);
		if (this.properties.hasExpired(state.createdAt(), state.expiresAt(), now)) {
			throw signedOut();
		}
		if (state.isRepeated(generation, now, this.properties.refreshGrace())) {
			return state;
		}
		if (!state.isNewest(generation)) {
			// The sign-in ends when the token is used again after the outage.
			throw StoreFailures.unavailable();
		}
		return next(state, generation, now);
	}

	private SignInState next(SignInState state, long generation, Instant now) {
		return state.rotated(generation + 1, now, this.properties.expiry(state.createdAt(), now));
	}

	private static SignInState requireLive(Optional<SignInState> found, String user) {
		SignInState state = found.filter((known) -> known.username().equals(user))
			.orElseThrow(() -> ErrorCode.UNAUTHORIZED
				.because("The sign-in or the account of this token does not exist; sign in again."));
		if (state.ended()) {
			throw signedOut();
		}
		return state;
	}

	/**
	 * Requires that the sign-in of an access token has not ended. The answer may be 30
	 * seconds old if the end was not heard of, or older while the database is
	 * unavailable.
	 * @throws ChatException as {@link #refresh}
	 */
	void requireLive(String id, String user) {
		requireNotEnded(id);
		Optional<SignInState> state = this.known.get(id);
		if (state.isEmpty()) {
			this.known.forget(id);
		}
		requireLive(state, user);
	}

	private void requireNotEnded(String id) {
		if (hasEnded(id)) {
			throw signedOut();
		}
	}

	/** Returns whether the sign-in is known to have ended recently. Asks no database. */
	boolean hasEnded(String id) {
		return this.ended.contains(id);
	}

	private static ChatException signedOut() {
		return ErrorCode.SIGNED_OUT.because("This sign-in has ended; sign in again.");
	}

	/** Returns the sign-ins of a user, the last used one first. */
	List<SignIn> live(String user) {
		return this.repository.live(user, now());
	}

	/**
	 * Ends a sign-in of a user.
	 * @return whether it was live
	 */
	boolean end(String user, String id, SignInEnd reason) {
		boolean live = this.database.query(() -> this.repository.end(user, id, reason.name(), now())) > 0;
		if (live) {
			ended(user, List.of(id), reason);
		}
		return live;
	}

	/** Ends the sign-in of an access token, of this server or of an external issuer. */
	void end(Tokens.Identity identity) {
		if (identity.isExternal()) {
			this.external.end(identity);
			ended(identity.user(), List.of(identity.signIn()), SignInEnd.SIGNED_OUT);
		}
		else {
			end(identity.user(), identity.signIn(), SignInEnd.SIGNED_OUT);
		}
	}

	private void end(SignInState state, SignInEnd reason) {
		if (this.repository.end(state.username(), state.id(), reason.name(), now()) > 0) {
			ended(state.username(), List.of(state.id()), reason);
		}
	}

	@Override
	public void endAll(String username, SignInEnd reason) {
		endOthers(username, NONE, reason);
	}

	@Override
	public void endOthers(String username, String keepSignIn, SignInEnd reason) {
		this.external.endAll(username, keepSignIn);
		ended(username, this.repository.endAll(username, keepSignIn, reason.name(), now()), reason);
	}

	private Counter ends(SignInEnd reason) {
		return this.meters.counter("chat.sign.ins.ended", "reason", reason.name());
	}

	private void ended(String user, List<String> signIns, SignInEnd reason) {
		if (!signIns.isEmpty()) {
			ends(reason).increment(signIns.size());
			this.events.publishEvent(new SignInsEnded(user, signIns));
			switch (reason) {
				case REUSE -> this.audit.record(AuditAction.AUTHN_TOKEN_REUSE, Actor.SERVER, user, Map.of());
				case SIGNED_OUT -> this.audit.record(AuditAction.AUTHN_TOKEN_REVOKED, new Actor(user, null), user,
						Map.of("signIns", signIns.size()));
				default -> {
					// The cause has its own entry.
				}
			}
		}
	}

	/**
	 * Forgets what is outdated, so that it does not count while the database is
	 * unavailable.
	 */
	@EventListener
	void heard(EndedSignInCache.Heard heard) {
		heard.signIns().forEach(this.known::forget);
	}

	/** Marks the expired sign-ins, and deletes those that ended long ago. */
	@Scheduled(initialDelay = 60_000, fixedDelay = 3_600_000)
	void cleanUp() {
		try {
			Instant now = now();
			int changed = CLEANUP_BATCH;
			while (changed == CLEANUP_BATCH) {
				changed = this.repository.endExpired(now, SignInEnd.EXPIRED.name(), CLEANUP_BATCH);
			}
			changed = CLEANUP_BATCH;
			while (changed == CLEANUP_BATCH) {
				changed = this.repository.deleteEndedBefore(now.minus(KEPT), CLEANUP_BATCH);
			}
		}
		catch (RuntimeException ex) {
			log.debug("Failed to clean up old sign-ins; retrying in an hour", ex);
		}
	}

}
