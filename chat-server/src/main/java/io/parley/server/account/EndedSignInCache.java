package io.parley.server.account;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import io.parley.store.account.AccountChanges;
import io.parley.store.account.EndedSignIn;
import jakarta.annotation.PostConstruct;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * The sign-ins that have ended while access tokens of theirs may still be valid. Read
 * from the database before this server accepts requests, and once a second from then on,
 * because the signal of the server that ends a sign-in may be lost. Safe for use by many
 * threads.
 */
@Component
public class EndedSignInCache {

	private static final Logger log = LoggerFactory.getLogger(EndedSignInCache.class);

	/**
	 * The clocks of two servers may differ by this much, including the time until an end
	 * is committed.
	 */
	private static final Duration TOLERANCE = Duration.ofMinutes(1);

	/** When each of them may be forgotten. */
	private final Map<String, Instant> ended = new ConcurrentHashMap<>();

	private final AccountChanges changes;

	private final ApplicationEventPublisher events;

	private final Clock clock;

	private final Duration keep;

	private Instant readUntil;

	EndedSignInCache(AccountChanges changes, ApplicationEventPublisher events, JwtProperties properties, Clock clock) {
		this.changes = changes;
		this.events = events;
		this.clock = clock;
		this.keep = properties.accessTtl().plus(TOLERANCE);
		this.readUntil = clock.instant().minus(properties.accessTtl());
	}

	/**
	 * Sign-ins of a user have ended, here or elsewhere, and this server has just heard of
	 * it. Their tokens are refused already. Published as an application event. Listeners
	 * must not block.
	 */
	public record Heard(String username, Collection<String> signIns) {
	}

	@PostConstruct
	synchronized void read() {
		Instant now = this.clock.instant();
		this.changes.signInsEndedSince(this.readUntil.minus(TOLERANCE))
			.stream()
			.collect(Collectors.groupingBy(EndedSignIn::username,
					Collectors.mapping(EndedSignIn::id, Collectors.toList())))
			.forEach(this::add);
		this.readUntil = now;
		// Not while the database is unavailable: tokens are refreshed without it.
		this.ended.values().removeIf((forgetAt) -> forgetAt.isBefore(now));
	}

	/**
	 * Hears of the ends whose signal was lost. Does not use
	 * {@link io.parley.server.database.Database}: a poll that waits behind a worker must
	 * not make the database count as unavailable.
	 */
	@Scheduled(fixedDelay = 1_000)
	void poll() {
		try {
			read();
		}
		catch (RuntimeException ex) {
			log.debug("Failed to read which sign-ins have ended; retrying every second", ex);
		}
	}

	/** Refuses the tokens of these sign-ins of a user from now on. */
	public void add(String username, Collection<String> signIns) {
		Instant forgetAt = this.clock.instant().plus(this.keep);
		List<String> added = signIns.stream()
			.filter((signIn) -> this.ended.putIfAbsent(signIn, forgetAt) == null)
			.toList();
		if (!added.isEmpty()) {
			this.events.publishEvent(new Heard(username, added));
		}
	}

	/** Returns whether this sign-in is known to have ended recently. */
	public boolean contains(String signIn) {
		return this.ended.containsKey(signIn);
	}

}
