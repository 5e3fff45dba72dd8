package io.parley.server.room;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

import io.parley.server.account.AccountStateCache;
import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.store.account.AccountRepository;

import org.springframework.stereotype.Component;

/** Checks the accounts of users before they are added to a room or get one. */
@Component
class MemberAccounts {

	private final AccountRepository accounts;

	private final AccountStateCache states;

	MemberAccounts(AccountRepository accounts, AccountStateCache states) {
		this.accounts = accounts;
		this.states = states;
	}

	boolean exists(String user) {
		return this.accounts.existsById(user);
	}

	/**
	 * Requires that all users exist.
	 * @throws io.parley.server.error.ChatException {@code not-found}
	 */
	void requireExisting(Collection<String> users) {
		Set<String> existing = existingAmong(users);
		users.stream().filter((user) -> !existing.contains(user)).findFirst().ifPresent((absent) -> {
			throw notFound(absent);
		});
	}

	/** Returns those of the users who exist. */
	Set<String> existingAmong(Collection<String> users) {
		return new HashSet<>(this.accounts.existingAmong(users));
	}

	static ChatException notFound(String user) {
		return ErrorCode.NOT_FOUND.because("There is no user '" + user + "'.");
	}

	/**
	 * Requires that all users exist and none of the accounts is disabled.
	 * @throws io.parley.server.error.ChatException {@code not-found}, {@code not-allowed}
	 */
	void requireUsable(Collection<String> users) {
		requireExisting(users);
		users.stream().filter(this.states::isDisabled).findFirst().ifPresent((user) -> {
			throw disabled(user);
		});
	}

	/**
	 * Requires that the account of a new owner is not disabled before the transaction
	 * ends. Rooms of an account that is disabled later are passed on then.
	 * @throws io.parley.server.error.ChatException {@code not-allowed}
	 */
	void lockNewOwner(String user) {
		if (this.accounts.lockUnlessDisabled(user).isEmpty()) {
			throw disabled(user);
		}
	}

	private static RuntimeException disabled(String user) {
		return ErrorCode.NOT_ALLOWED.because("The account of '" + user + "' is disabled.");
	}

}
