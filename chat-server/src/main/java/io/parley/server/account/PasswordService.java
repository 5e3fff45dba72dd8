package io.parley.server.account;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import io.parley.server.account.HashingQueue.Purpose;
import io.parley.server.account.SignInLimits.Candidate;
import io.parley.server.audit.Actor;
import io.parley.server.audit.AuditAction;
import io.parley.server.audit.AuditLog;
import io.parley.server.error.ErrorCode;
import io.parley.store.account.Account;
import io.parley.store.account.AccountRepository;
import io.parley.store.account.PasswordResets;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Changes passwords: on request of the user who knows the current one, or of the holder
 * of a reset link. Both end sign-ins. Safe for use by many threads.
 */
@Component
class PasswordService {

	private final AccountService accounts;

	private final AccountRepository repository;

	private final PasswordResets resets;

	private final PasswordRules rules;

	private final SignInLimits limits;

	private final HashingQueue hashing;

	private final SignInEnder signIns;

	private final AuditLog audit;

	private final TransactionTemplate transaction;

	PasswordService(AccountService accounts, AccountRepository repository, PasswordResets resets, PasswordRules rules,
			SignInLimits limits, HashingQueue hashing, SignInEnder signIns, AuditLog audit,
			TransactionTemplate transaction) {
		this.accounts = accounts;
		this.repository = repository;
		this.resets = resets;
		this.rules = rules;
		this.limits = limits;
		this.hashing = hashing;
		this.signIns = signIns;
		this.audit = audit;
		this.transaction = transaction;
	}

	/** The hash of the current password and that of the new one. */
	private record Hashes(String before, String after) {
	}

	/**
	 * Changes a password and ends all other sign-ins of the user.
	 * @param candidate the user; failures count like failed sign-ins
	 * @param keepSignIn the sign-in that stays, or null
	 * @throws io.parley.server.error.ChatException {@code wrong-password} if the current
	 * one is wrong, {@code bad-request} if the new one breaks a rule,
	 * {@code rate-limited}, {@code server-busy}
	 */
	void change(Candidate candidate, @Nullable String keepSignIn, String current, String replacement) {
		String user = candidate.username();
		this.rules.require(user, replacement);
		this.limits.requireAllowed(candidate);
		Hashes hashes = this.hashing.run(Purpose.PASSWORD_CHANGE, candidate.address(), () -> {
			// Other attempts may have failed while this one was queued.
			this.limits.requireAllowed(candidate);
			Account account = this.repository.findById(user).orElse(null);
			return (account != null && this.accounts.matches(account, current))
					? new Hashes(account.getPasswordHash(), this.accounts.hash(replacement)) : null;
		});
		Actor actor = new Actor(user, candidate.address());
		if (hashes == null) {
			this.limits.countFailure(candidate);
			this.audit.record(AuditAction.AUTHN_PASSWORD_CHANGE_FAIL, actor, null, Map.of());
			throw ErrorCode.WRONG_PASSWORD.because("The current password is wrong.");
		}
		this.transaction.executeWithoutResult((status) -> {
			if (this.repository.replaceHash(user, hashes.before(), hashes.after()) == 0) {
				throw ErrorCode.SERVER_BUSY.because("The password was changed at the same time; try again.",
						Duration.ofSeconds(1));
			}
			this.resets.remove(user);
			this.signIns.endOthers(user, (keepSignIn != null) ? keepSignIn : "", SignInEnd.PASSWORD_CHANGED);
			this.audit.record(AuditAction.AUTHN_PASSWORD_CHANGE, actor, null, Map.of("by", "password"));
		});
	}

	/**
	 * Sets a password with the token of a reset link and ends all sign-ins of the user. A
	 * token works once: of several calls at once, one succeeds.
	 * @param address the client's address, as a key (see
	 * {@link io.parley.server.limits.ClientAddresses#key})
	 * @throws io.parley.server.error.ChatException {@code bad-token} if the token is
	 * wrong, used or expired, {@code bad-request} if the password breaks a rule,
	 * {@code rate-limited}, {@code server-busy}
	 */
	void reset(LinkToken token, String password, String address) {
		this.limits.requireTokenAllowed(address);
		String user = this.resets.findUser(token.hash(), Instant.now()).orElse(null);
		if (user == null) {
			this.limits.countFailedToken(address);
			throw badToken();
		}
		this.rules.require(user, password);
		String hash = this.hashing.run(Purpose.PASSWORD_CHANGE, address, () -> this.accounts.hash(password));
		this.transaction.executeWithoutResult((status) -> {
			// First, as whoever replaces or voids the link does.
			this.repository.lock(user);
			if (!this.resets.take(token.hash(), Instant.now()) || this.repository.setHash(user, hash) == 0) {
				throw badToken();
			}
			this.signIns.endAll(user, SignInEnd.PASSWORD_RESET);
			this.audit.record(AuditAction.AUTHN_PASSWORD_CHANGE, new Actor(user, address), null, Map.of("by", "link"));
		});
	}

	private static RuntimeException badToken() {
		return ErrorCode.BAD_TOKEN
			.because("The link is wrong, was used or has expired; ask an operator for a new one.");
	}

}
