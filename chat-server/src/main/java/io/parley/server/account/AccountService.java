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

	/**
	 * The password of the accounts that profile {@code demo} creates. It is accepted in
	 * that profile only.
	 */
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
	 * A hash that no password is known to match. It is compared when the user does not
	 * exist, so that the response takes as long as for an existing user.
	 */
	private final String dummyHash;

	/**
	 * Parley never deletes accounts. Entries expire so that accounts deleted by hand are
	 * noticed.
	 */
	private final LastKnownCache<String, Boolean> existenceCache;

	AccountService(Database database, AccountRepository accounts, PasswordEncoder passwords, HashingQueue hashing,
			SignInLimits limits, PasswordRules rules, Environment environment) {
		this.database = database;
		this.accounts = accounts;
		this.existenceCache = new LastKnownCache<>(database, 100_000, (exists) -> Duration.ofSeconds(30), this::exists);
		this.passwords = passwords;
		this.hashing = hashing;
		this.limits = limits;
		this.rules = rules;
		this.demo = environment.acceptsProfiles(Profiles.of("demo"));
		byte[] secret = new byte[32];
		new SecureRandom().nextBytes(secret);
		this.dummyHash = hash(Base64.getEncoder().encodeToString(secret));
	}

	/**
	 * Registers a user.
	 * @param address the client's address, as a key (see
	 * {@link io.parley.server.limits.ClientAddresses#key})
	 * @throws io.parley.server.error.ChatException if the name is taken or the password
	 * breaks a rule
	 */
	void register(String username, String password, String address) {
		this.rules.require(username, password);
		create(username, password, address);
	}

	/**
	 * Creates an account with the well-known demo password.
	 * @throws io.parley.server.error.ChatException if the name is taken
	 */
	public void registerForDemo(String username) {
		create(username, DEMO_PASSWORD, LOCAL);
	}

	private void create(String username, String password, String address) {
		if (exists(username)) {
			throw usernameTaken(username);
		}
		String hash = this.hashing.run(Purpose.REGISTRATION, address, () -> hash(password));
		try {
			this.accounts.save(new Account(username, hash, Instant.now()));
		}
		catch (DataIntegrityViolationException ex) {
			throw usernameTaken(username);
		}
	}

	/** Returns whether the account exists. Always queries the database. */
	public boolean exists(String username) {
		return this.accounts.existsById(username);
	}

	/**
	 * Returns whether the account exists. A positive answer may be up to 30 seconds old,
	 * or older while the database is unavailable.
	 * @throws io.parley.server.error.ChatException {@code store-unavailable} if the
	 * database is unavailable and the account is not cached
	 */
	boolean existsCached(String username) {
		boolean exists = this.existenceCache.get(username);
		if (!exists) {
			this.existenceCache.forget(username);
		}
		return exists;
	}

	/**
	 * Returns whether the account exists now or, while the database is unavailable,
	 * whether it existed at the last query.
	 * @throws io.parley.server.error.ChatException {@code store-unavailable} if the
	 * database is unavailable and the account is not cached
	 */
	boolean existsOrLastKnown(String username) {
		try {
			return this.database.query(() -> exists(username));
		}
		catch (ChatException ex) {
			if (!StoreFailures.isUnavailable(ex)) {
				throw ex;
			}
			return existsCached(username);
		}
	}

	/**
	 * Checks a password. Takes the same time whether or not the user exists.
	 * @return the account of the user
	 * @throws io.parley.server.error.ChatException {@code unauthorized} if the user name
	 * or password is wrong, {@code rate-limited} after too many failures,
	 * {@code server-busy} if too many sign-ins are waiting
	 */
	Account authenticate(Candidate candidate, String password) {
		this.limits.requireAllowed(candidate);
		return this.hashing.run(Purpose.SIGN_IN, candidate.address(), () -> {
			// Other attempts may have failed while this one was queued.
			this.limits.requireAllowed(candidate);
			return check(candidate, password);
		});
	}

	private Account check(Candidate candidate, String password) {
		Account account = this.accounts.findById(candidate.username()).orElse(null);
		String hash = (account != null) ? account.getPasswordHash() : this.dummyHash;
		boolean matches = this.passwords.matches(password, hash);
		if (!matches || account == null || (password.equals(DEMO_PASSWORD) && !this.demo)) {
			this.limits.countFailure(candidate);
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

	private static RuntimeException usernameTaken(String username) {
		return ErrorCode.USERNAME_TAKEN.because("The user name '" + username + "' is taken; choose another.");
	}

}
