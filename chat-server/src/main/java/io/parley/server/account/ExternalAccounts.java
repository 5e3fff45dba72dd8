package io.parley.server.account;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

import io.parley.server.audit.Actor;
import io.parley.server.database.Database;
import io.parley.server.database.LastKnownCache;
import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.server.issuer.ExternalToken;
import io.parley.store.account.ExternalIdentities;

import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.stereotype.Component;

/**
 * The accounts of the users of external issuers, by issuer and subject. An account is
 * created when its user is first seen, and is never one that existed before, whatever its
 * name. Safe for use by many threads.
 */
@Component
class ExternalAccounts {

	private static final int MAX_CACHED = 100_000;

	/** An entry never changes; this is for an older backup that was restored. */
	private static final Duration CACHED = Duration.ofMinutes(10);

	private static final int ATTEMPTS = 50;

	private final ExternalIdentities identities;

	private final AccountService accounts;

	private final Database database;

	private final LastKnownCache<Key, Optional<String>> known;

	ExternalAccounts(ExternalIdentities identities, AccountService accounts, Database database) {
		this.identities = identities;
		this.accounts = accounts;
		this.database = database;
		this.known = new LastKnownCache<>(database, MAX_CACHED, (user) -> user.isPresent() ? CACHED : Duration.ZERO,
				(key) -> identities.find(key.issuer(), key.subject()));
	}

	private record Key(String issuer, String subject) {
	}

	/**
	 * Returns the name of the account of the user of a token, which is created if there
	 * is none.
	 * @throws io.parley.server.error.ChatException {@code store-unavailable} if the user
	 * is not known here and the database is unavailable
	 */
	String of(ExternalToken token) {
		Key key = new Key(token.issuer(), token.subject());
		return this.known.get(key).orElseGet(() -> {
			String user = this.database.query(() -> findOrCreate(token));
			this.known.put(key, Optional.of(user));
			return user;
		});
	}

	/** Other servers may create the account at the same moment. */
	private String findOrCreate(ExternalToken token) {
		WishedName name = new WishedName(token.wishedName());
		int taken = 0;
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			Optional<String> existing = this.identities.find(token.issuer(), token.subject());
			if (existing.isPresent()) {
				return existing.get();
			}
			String candidate = name.candidate(taken);
			if (this.accounts.exists(candidate)) {
				taken++;
			}
			else if (create(token, candidate)) {
				return candidate;
			}
		}
		throw ErrorCode.SERVER_BUSY.because("The server found no free user name for this account; try again.");
	}

	private boolean create(ExternalToken token, String username) {
		try {
			this.accounts.createWithoutPassword(username, Actor.SERVER,
					Map.of("by", "issuer", "issuer", token.issuer()),
					() -> this.identities.add(token.issuer(), token.subject(), username, Instant.now()));
			return true;
		}
		catch (ChatException ex) {
			if (ex.errorCode() == ErrorCode.USERNAME_TAKEN) {
				return false;
			}
			throw ex;
		}
		catch (PessimisticLockingFailureException ex) {
			// A deadlock with another server that creates the same account.
			return false;
		}
	}

}
