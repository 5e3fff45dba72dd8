package io.parley.server.account;

import java.time.Instant;
import java.util.Map;
import java.util.function.Function;

import io.parley.server.account.HashingQueue.Purpose;
import io.parley.server.account.SignInLimits.Candidate;
import io.parley.server.audit.Actor;
import io.parley.server.audit.AuditAction;
import io.parley.server.audit.AuditLog;
import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.store.account.Account;
import io.parley.store.account.AccountRepository;
import io.parley.store.account.AccountState;
import org.jspecify.annotations.Nullable;

import org.springframework.core.env.Environment;
import org.springframework.core.env.Profiles;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** Creates accounts and checks their passwords. Safe for use by many threads. */
@Component
public class AccountService {

	/**
	 * The password of the accounts that profile {@code demo} creates. It is accepted in
	 * that profile only.
	 */
	public static final String DEMO_PASSWORD = "demo";

	private static final String LOCAL = "local";

	private final AccountRepository accounts;

	private final PasswordEncoder passwords;

	private final HashingQueue hashing;

	private final SignInLimits limits;

	private final AccountStateCache states;

	private final AuditLog audit;

	private final TransactionTemplate transaction;

	private final boolean demo;

	/**
	 * Compared when the user does not exist, so that the response takes as long as for an
	 * existing user.
	 */
	private final String dummyHash = Argon2Hashes.ofUnknownPassword();

	AccountService(AccountRepository accounts, PasswordEncoder passwords, HashingQueue hashing, SignInLimits limits,
			AccountStateCache states, AuditLog audit, TransactionTemplate transaction, Environment environment) {
		this.accounts = accounts;
		this.passwords = passwords;
		this.hashing = hashing;
		this.limits = limits;
		this.states = states;
		this.audit = audit;
		this.transaction = transaction;
		this.demo = environment.acceptsProfiles(Profiles.of("demo"));
	}

	/**
	 * Creates an account with the well-known demo password.
	 * @throws io.parley.server.error.ChatException if the name is taken
	 */
	public void registerForDemo(String username) {
		create(username, DEMO_PASSWORD, LOCAL, (hash) -> new Account(username, hash, Instant.now()), Actor.SERVER,
				Map.of("by", "demo"));
	}

	/**
	 * Creates an account.
	 * @param creation makes the account of the hash; runs in the transaction that stores
	 * the account, after everything that takes long
	 * @param detail for the audit log
	 * @throws io.parley.server.error.ChatException if the name is taken
	 */
	void create(String username, String password, String address, Function<String, Account> creation, Actor actor,
			Map<String, ?> detail) {
		if (exists(username)) {
			throw usernameTaken(username);
		}
		String hash = this.hashing.run(Purpose.REGISTRATION, address, () -> hash(password));
		store(hash, username, creation, actor, detail);
	}

	/**
	 * Creates an account whose password nobody knows.
	 * @throws io.parley.server.error.ChatException if the name is taken
	 */
	void createWithoutPassword(String username, Actor actor) {
		createWithoutPassword(username, actor, Map.of("by", "operator"), () -> {
		});
	}

	/**
	 * Creates an account whose password nobody knows.
	 * @param detail for the audit log
	 * @param addition runs in the same transaction
	 * @throws io.parley.server.error.ChatException if the name is taken, or what the
	 * addition inserts
	 */
	void createWithoutPassword(String username, Actor actor, Map<String, ?> detail, Runnable addition) {
		if (exists(username)) {
			throw usernameTaken(username);
		}
		store(Argon2Hashes.ofUnknownPassword(), username, (hash) -> {
			addition.run();
			return new Account(username, hash, Instant.now());
		}, actor, detail);
	}

	private void store(String hash, String username, Function<String, Account> creation, Actor actor,
			Map<String, ?> detail) {
		try {
			this.transaction.executeWithoutResult((status) -> {
				this.accounts.save(creation.apply(hash));
				this.audit.record(AuditAction.USER_CREATED, actor, username, detail);
			});
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
	 * Checks a password. Takes the same time, and fails in the same way, whether the user
	 * does not exist, is disabled, or has another password.
	 * @return the account of the user
	 * @throws io.parley.server.error.ChatException {@code unauthorized} if the user name
	 * or password is wrong or the account is disabled, {@code rate-limited} after too
	 * many failures, {@code server-busy} if too many sign-ins are waiting
	 */
	Account authenticate(Candidate candidate, String password) {
		requireAllowed(candidate);
		Checked checked = this.hashing.run(Purpose.SIGN_IN, candidate.address(), () -> {
			// Other attempts may have failed while this one was queued.
			requireAllowed(candidate);
			return check(candidate, password);
		});
		Account account = checked.account();
		// The name of no account may be a password in the wrong field.
		Actor actor = new Actor(checked.known() ? candidate.username() : null, candidate.address());
		if (account == null) {
			this.audit.record(AuditAction.AUTHN_LOGIN_FAIL, actor, null, Map.of("reason", checked.failure()));
			throw ErrorCode.UNAUTHORIZED.because("User name or password is wrong.");
		}
		this.audit.record(AuditAction.AUTHN_LOGIN_SUCCESS, actor, null, Map.of());
		return account;
	}

	/**
	 * The result of a check.
	 *
	 * @param account null if the check failed
	 * @param known whether there is an account of that name
	 * @param failure why the check failed; for the audit log, never for the client
	 */
	private record Checked(@Nullable Account account, boolean known, String failure) {
	}

	private void requireAllowed(Candidate candidate) {
		try {
			this.limits.requireAllowed(candidate);
		}
		catch (ChatException ex) {
			this.audit.record(AuditAction.EXCESS_RATE_LIMIT_EXCEEDED, new Actor(null, candidate.address()), null,
					Map.of("limit", "sign-in-failures"));
			throw ex;
		}
	}

	private Checked check(Candidate candidate, String password) {
		Account account = this.accounts.findById(candidate.username()).orElse(null);
		String hash = (account != null) ? account.getPasswordHash() : this.dummyHash;
		boolean matches = this.passwords.matches(password, hash);
		if (!matches || account == null || !isUsable(account, password)) {
			this.limits.countFailure(candidate);
			return new Checked(null, account != null, failure(account, matches));
		}
		if (this.passwords.upgradeEncoding(hash)) {
			this.accounts.replaceHash(candidate.username(), hash, hash(password));
		}
		return new Checked(account, true, "");
	}

	/**
	 * Looked at after the hash was computed, so that the time of the answer tells
	 * nothing.
	 */
	private boolean isUsable(Account account, String password) {
		return account.getState() != AccountState.DISABLED && (!password.equals(DEMO_PASSWORD) || this.demo);
	}

	private static String failure(@Nullable Account account, boolean matches) {
		if (account == null) {
			return "unknown-name";
		}
		return matches ? "not-usable" : "wrong-password";
	}

	/**
	 * Returns whether a password is that of an account and may be used. Slow by design.
	 */
	boolean matches(Account account, String password) {
		return this.passwords.matches(password, account.getPasswordHash()) && isUsable(account, password);
	}

	/** Returns whether an account has the public password of the demo. */
	boolean hasDemoPassword(Account account) {
		return this.passwords.matches(DEMO_PASSWORD, account.getPasswordHash());
	}

	/**
	 * Makes a user with the demo password an operator, unless there is one. Another user
	 * of the same name does not become an operator.
	 */
	public void ensureDemoOperator(String username) {
		Account account = this.accounts.hasActiveOperator() ? null : this.accounts.findById(username).orElse(null);
		if (account != null && hasDemoPassword(account)) {
			this.accounts.setStatus(username, AccountState.ACTIVE, true, Instant.now());
			this.states.refresh();
		}
	}

	/** Returns the hash of a new password. Slow by design. */
	String hash(String password) {
		return String.valueOf(this.passwords.encode(password));
	}

	private static RuntimeException usernameTaken(String username) {
		return ErrorCode.USERNAME_TAKEN.because("The user name '" + username + "' is taken; choose another.");
	}

}
