package io.parley.server.account;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;

import io.parley.server.account.HashingQueue.Purpose;
import io.parley.server.account.SignInLimits.Candidate;
import io.parley.server.database.Database;
import io.parley.server.database.LastKnownCache;
import io.parley.server.error.ErrorCode;
import io.parley.server.error.ChatException;
import io.parley.server.error.StoreFailures;
import io.parley.store.account.Account;
import io.parley.store.account.AccountRepository;

import org.springframework.core.env.Environment;
import org.springframework.core.env.Profiles;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.stereotype.Component;

/** Registers users and checks their passwords. Safe for use by many threads. */
@Component
public class AccountService {

	/** Of the accounts that profile {@code demo} makes, and that it alone accepts. */
	public static final String DEMO_PASSWORD = "demo";

	private static final String LOCAL = "local";

	private final Database database;

	private final AccountRepository accounts;

	private final PasswordEncoder passwords;

	private final HashingQueue hashing;

	private final SignInLimits limits;

	private final PasswordRules rules;

	private final boolean demo;

	/**
	 * Compared with when there is no such user, so that the answer takes as long. Nobody
	 * knows what it is the hash of.
	 */
	private final String noAccountsHash;

	/** Accounts are never deleted; asking again is for those who do so by hand. */
	private final LastKnownCache<String, Boolean> existing;

	AccountService(Database database, AccountRepository accounts, PasswordEncoder passwords, HashingQueue hashing,
			SignInLimits limits, PasswordRules rules, Environment environment) {
		this.database = database;
		this.accounts = accounts;
		this.existing = new LastKnownCache<>(database, 100_000, (exists) -> Duration.ofSeconds(30), this::exists);
		this.passwords = passwords;
		this.hashing = hashing;
		this.limits = limits;
		this.rules = rules;
		this.demo = environment.acceptsProfiles(Profiles.of("demo"));
		byte[] secret = new byte[32];
		new SecureRandom().nextBytes(secret);
		this.noAccountsHash = hash(Base64.getEncoder().encodeToString(secret));
	}

	/**
	 * Registers a stranger.
	 * @param address the client's address, as a key
	 * @throws io.parley.server.error.ChatException when the name is taken or the password
	 * is not good enough
	 */
	void register(String username, String password, String address) {
		this.rules.require(username, password);
		make(username, password, address);
	}

	/**
	 * Makes an account whose password everybody knows.
	 * @throws io.parley.server.error.ChatException when the name is taken
	 */
	public void registerForDemo(String username) {
		make(username, DEMO_PASSWORD, LOCAL);
	}

	private void make(String username, String password, String address) {
		if (exists(username)) {
			throw taken(username);
		}
		String hash = this.hashing.run(Purpose.REGISTRATION, address, () -> hash(password));
		try {
			this.accounts.save(new Account(username, hash, Instant.now()));
		}
		catch (DataIntegrityViolationException ex) {
			throw taken(username);
		}
	}

	/** Whether there is such an account now. */
	public boolean exists(String username) {
		return this.accounts.existsById(username);
	}

	/**
	 * Whether there was such an account within the last half minute, or when the database
	 * was last there.
	 * @throws io.parley.server.error.ChatException {@code store-unavailable} when it is
	 * away and has not told
	 */
	boolean existedLately(String username) {
		boolean exists = this.existing.get(username);
		if (!exists) {
			this.existing.forget(username);
		}
		return exists;
	}

	/**
	 * Whether the account exists now, or existed when the database last answered.
	 * @throws io.parley.server.error.ChatException {@code store-unavailable} when the
	 * database does not answer and the account is not known from before
	 */
	boolean existsAsFarAsIsKnown(String username) {
		try {
			return this.database.ask(() -> exists(username));
		}
		catch (ChatException ex) {
			if (!StoreFailures.isUnavailable(ex)) {
				throw ex;
			}
			return existedLately(username);
		}
	}

	/**
	 * Checks a password. Takes the same time for a user that there is not.
	 * @return the account that it opens
	 * @throws io.parley.server.error.ChatException {@code unauthorized} when it is not
	 * the user's, {@code rate-limited} after too many failures, {@code server-busy} when
	 * too many wait already
	 */
	Account authenticate(Candidate candidate, String password) {
		this.limits.requireLeft(candidate);
		return this.hashing.run(Purpose.SIGN_IN, candidate.address(), () -> {
			// Others may have failed while this one waited for its turn.
			this.limits.requireLeft(candidate);
			return check(candidate, password);
		});
	}

	private Account check(Candidate candidate, String password) {
		Account account = this.accounts.findById(candidate.username()).orElse(null);
		String hash = (account != null) ? account.getPasswordHash() : this.noAccountsHash;
		boolean matches = this.passwords.matches(password, hash);
		if (!matches || account == null || (password.equals(DEMO_PASSWORD) && !this.demo)) {
			this.limits.failed(candidate);
			throw ErrorCode.UNAUTHORIZED.because("User name or password is wrong.");
		}
		if (this.passwords.upgradeEncoding(hash)) {
			this.accounts.replaceHash(candidate.username(), hash, hash(password));
		}
		return account;
	}

	private String hash(String password) {
		return String.valueOf(this.passwords.encode(password));
	}

	private static RuntimeException taken(String username) {
		return ErrorCode.USERNAME_TAKEN.because("The user name '" + username + "' is taken; choose another.");
	}

}
