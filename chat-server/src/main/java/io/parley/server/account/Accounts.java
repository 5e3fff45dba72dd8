package io.parley.server.account;

import java.time.Instant;
import java.util.concurrent.Semaphore;

import io.parley.server.refusal.Refusal;
import io.parley.store.account.Account;
import io.parley.store.account.AccountRepository;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.stereotype.Component;

/** Registers users and checks their passwords. */
@Component
public class Accounts {

	private final AccountRepository accounts;

	private final PasswordEncoder passwords;

	/** Hashing is slow by design: it must not take every core from the chat. */
	private final Semaphore hashing = new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));

	/** Compared with when there is no such user, so that the answer takes as long. */
	private final String nobodysHash;

	Accounts(AccountRepository accounts, PasswordEncoder passwords) {
		this.accounts = accounts;
		this.passwords = passwords;
		this.nobodysHash = String.valueOf(passwords.encode("nobody"));
	}

	/**
	 * Makes an account.
	 * @throws io.parley.server.refusal.RefusedException when the name is taken
	 */
	public void register(String username, String password) {
		if (exists(username)) {
			throw taken(username);
		}
		String hash = hashing(() -> String.valueOf(this.passwords.encode(password)));
		try {
			this.accounts.save(new Account(username, hash, Instant.now()));
		}
		catch (DataIntegrityViolationException ex) {
			throw taken(username);
		}
	}

	public boolean exists(String username) {
		return this.accounts.existsById(username);
	}

	/**
	 * Checks a password.
	 * @throws io.parley.server.refusal.RefusedException when it is not the user's
	 */
	void authenticate(String username, String password) {
		String hash = this.accounts.findById(username).map(Account::getPasswordHash).orElse(this.nobodysHash);
		if (!hashing(() -> this.passwords.matches(password, hash))) {
			throw Refusal.UNAUTHORIZED.because("User name or password is wrong.");
		}
	}

	private <T> T hashing(java.util.function.Supplier<T> work) {
		this.hashing.acquireUninterruptibly();
		try {
			return work.get();
		}
		finally {
			this.hashing.release();
		}
	}

	private static RuntimeException taken(String username) {
		return Refusal.USERNAME_TAKEN.because("The user name '" + username + "' is taken; choose another.");
	}

}
