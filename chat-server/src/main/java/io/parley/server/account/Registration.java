package io.parley.server.account;

import java.time.Instant;
import java.util.Map;

import io.parley.server.account.RegistrationProperties.Mode;
import io.parley.server.audit.Actor;
import io.parley.server.error.ErrorCode;
import io.parley.store.account.Account;
import io.parley.store.account.AccountInviteRepository;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/** Lets people register accounts, as far as {@link RegistrationProperties} allow. */
@Component
class Registration {

	private final Mode mode;

	private final AccountService accounts;

	private final AccountInviteRepository invites;

	private final PasswordRules rules;

	private final SignInLimits limits;

	Registration(RegistrationProperties properties, AccountService accounts, AccountInviteRepository invites,
			PasswordRules rules, SignInLimits limits) {
		this.mode = properties.registration();
		this.accounts = accounts;
		this.invites = invites;
		this.rules = rules;
		this.limits = limits;
	}

	/**
	 * Registers a user.
	 * @param invite the token of an invitation link, or null
	 * @param address the client's address, as a key (see
	 * {@link io.parley.server.limits.ClientAddresses#key})
	 * @throws io.parley.server.error.ChatException {@code registration-closed},
	 * {@code bad-token} if the invitation is wrong, used up or expired,
	 * {@code bad-request} if the password breaks a rule, {@code username-taken}
	 */
	void register(String username, String password, @Nullable String invite, String address) {
		LinkToken token = (this.mode == Mode.INVITE) ? requireInvite(invite, address) : null;
		if (this.mode == Mode.CLOSED) {
			throw ErrorCode.REGISTRATION_CLOSED.because("Registration is closed; ask an operator for an account.");
		}
		this.rules.require(username, password);
		this.accounts.create(username, password, address, (hash) -> {
			if (token != null && !this.invites.take(token.hash(), Instant.now())) {
				throw badInvite();
			}
			return new Account(username, hash, Instant.now());
		}, new Actor(username, address), (token != null) ? Map.of("by", "invitation") : Map.of("by", "registration"));
	}

	/**
	 * Checks the invitation before anything else, so that nobody without one learns which
	 * names are taken. Takes nothing yet.
	 */
	private LinkToken requireInvite(@Nullable String invite, String address) {
		if (invite == null) {
			throw ErrorCode.REGISTRATION_CLOSED
				.because("Registration needs an invitation link; ask an operator for one.");
		}
		this.limits.requireTokenAllowed(address);
		LinkToken token = new LinkToken(invite);
		if (!this.invites.isUsable(token.hash(), Instant.now())) {
			this.limits.countFailedToken(address);
			throw badInvite();
		}
		return token;
	}

	private static RuntimeException badInvite() {
		return ErrorCode.BAD_TOKEN
			.because("The invitation is wrong, used up or has expired; ask an operator for a new one.");
	}

}
