package io.parley.server.account;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.server.session.ChatSession;
import io.parley.server.session.SessionRegistry;
import io.parley.store.account.AccountChanges;
import io.parley.store.account.AccountState;
import io.parley.store.account.AccountStatus;
import jakarta.annotation.PostConstruct;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Knows which accounts are suspended, disabled or an operator's. The answers come from
 * memory: they cost no query, and while the database is unavailable the last known ones
 * hold. A change on this server counts at once, and one on another server within a
 * second, or within 30 seconds if the clocks of the servers differ by more than a minute.
 * Safe for use by many threads.
 */
@Component
public class AccountStateCache {

	private static final Logger log = LoggerFactory.getLogger(AccountStateCache.class);

	/**
	 * Each query reads the changes of the last minute again, because the clocks of the
	 * servers may differ and a transaction may commit late.
	 */
	private static final Duration OVERLAP = Duration.ofMinutes(1);

	private final AccountChanges changes;

	private final SessionRegistry sessions;

	/** Accounts that are not active or an operator's; all others are plain users. */
	private final Map<String, AccountStatus> special = new ConcurrentHashMap<>();

	private Instant readAt = Instant.now();

	private boolean failing;

	AccountStateCache(AccountChanges changes, SessionRegistry sessions) {
		this.changes = changes;
		this.sessions = sessions;
	}

	@PostConstruct
	synchronized void load() {
		List<AccountStatus> current = this.changes.special();
		this.special.keySet().retainAll(current.stream().map(AccountStatus::username).collect(Collectors.toSet()));
		current.forEach(this::apply);
	}

	/** Returns whether the user is an operator and may act as one now. */
	boolean isOperator(String username) {
		AccountStatus status = this.special.get(username);
		return status != null && status.operator() && status.state() == AccountState.ACTIVE;
	}

	/** Returns the state of an account; the result for an unknown name is active. */
	AccountState of(String username) {
		AccountStatus status = this.special.get(username);
		return (status != null) ? status.state() : AccountState.ACTIVE;
	}

	/** Returns whether an account is disabled; false for an unknown name. */
	public boolean isDisabled(String username) {
		return of(username) == AccountState.DISABLED;
	}

	/** Creates the exception for a token whose account is disabled. */
	public static ChatException disabled() {
		return ErrorCode.SIGNED_OUT.because("The account of this token is disabled.");
	}

	/**
	 * Requires that the user may write.
	 * @throws io.parley.server.error.ChatException {@code suspended} if not
	 */
	public void requireMayWrite(String username) {
		if (of(username) != AccountState.ACTIVE) {
			throw ErrorCode.SUSPENDED.because("Your account is suspended: you can read, but not write.");
		}
	}

	@Scheduled(fixedDelay = 500)
	void poll() {
		refresh();
	}

	/**
	 * Reads the latest changes. One call at a time, so that no older answer replaces a
	 * newer one.
	 */
	synchronized void refresh() {
		try {
			Instant now = Instant.now();
			this.changes.since(this.readAt.minus(OVERLAP)).forEach(this::apply);
			this.readAt = now;
			if (this.failing) {
				this.failing = false;
				log.info("Changed accounts are read again");
			}
		}
		catch (RuntimeException ex) {
			if (!this.failing) {
				this.failing = true;
				log.warn("Failed to read the changed accounts; retrying every half second. Until then, changes "
						+ "of accounts and operators may take effect late on this server", ex);
			}
		}
	}

	/**
	 * Reads all states again. {@link #refresh} finds no change of a server whose clock is
	 * wrong, and none that a restore of the database has made.
	 */
	@Scheduled(fixedDelay = 30_000, initialDelay = 30_000)
	void reload() {
		try {
			load();
		}
		catch (RuntimeException ex) {
			log.debug("Failed to read the states of accounts; the next attempt is in 30 seconds", ex);
		}
	}

	private void apply(AccountStatus status) {
		String username = status.username();
		if (status.state() == AccountState.ACTIVE && !status.operator()) {
			this.special.remove(username);
			return;
		}
		this.special.put(username, status);
		if (status.state() == AccountState.DISABLED) {
			// Each time, because a session may have connected since the last query.
			this.sessions.of(username).forEach(ChatSession::signOut);
		}
	}

}
