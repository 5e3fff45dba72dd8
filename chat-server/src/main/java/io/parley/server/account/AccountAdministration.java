package io.parley.server.account;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.parley.server.audit.Actor;
import io.parley.server.audit.AuditAction;
import io.parley.server.audit.AuditLog;
import io.parley.server.error.ErrorCode;
import io.parley.store.LikePattern;
import io.parley.store.account.Account;
import io.parley.store.account.AccountRepository;
import io.parley.store.account.AccountState;
import io.parley.store.account.ExternalIdentities;
import io.parley.store.account.PasswordResets;
import io.parley.store.account.SignIn;
import io.parley.store.push.DeviceRepository;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The administration of accounts by operators. Each change is in the audit log. Operators
 * never choose the password of a user: they make a link with which the user sets one.
 * Safe for use by many threads.
 */
@Component
class AccountAdministration {

	/** How long a reset link is valid. */
	static final Duration RESET_TIME = Duration.ofMinutes(30);

	private final AccountService accounts;

	private final AccountRepository repository;

	private final AccountStateCache states;

	private final PasswordResets resets;

	private final ExternalIdentities identities;

	private final DeviceRepository devices;

	private final SignInService signIns;

	private final AuditLog audit;

	private final TransactionTemplate transaction;

	private final ApplicationEventPublisher events;

	AccountAdministration(AccountService accounts, AccountRepository repository, AccountStateCache states,
			PasswordResets resets, ExternalIdentities identities, DeviceRepository devices, SignInService signIns,
			AuditLog audit, TransactionTemplate transaction, ApplicationEventPublisher events) {
		this.accounts = accounts;
		this.repository = repository;
		this.states = states;
		this.resets = resets;
		this.identities = identities;
		this.devices = devices;
		this.signIns = signIns;
		this.audit = audit;
		this.transaction = transaction;
		this.events = events;
	}

	/** A secret for a link, which is shown once, and when it expires. */
	record Link(LinkToken token, Instant expiresAt) {
	}

	/**
	 * Returns accounts in the order of their names. The query reads the names of all
	 * accounts when few of them match.
	 * @param search a part of the name, whatever its case; empty for all
	 * @param state null for any
	 * @param after the accounts follow this name
	 */
	List<Account> page(String search, @Nullable AccountState state, String after, int limit) {
		Collection<AccountState> wanted = (state != null) ? Set.of(state) : EnumSet.allOf(AccountState.class);
		return this.repository.page(LikePattern.containing(search), wanted, after, Limit.of(limit));
	}

	/**
	 * Returns an account.
	 * @throws io.parley.server.error.ChatException {@code not-found} if there is none
	 */
	Account get(String username) {
		return this.repository.findById(username)
			.orElseThrow(() -> ErrorCode.NOT_FOUND.because("There is no user '" + username + "'."));
	}

	/**
	 * Creates an account. Its user sets the password with the returned link.
	 * @throws io.parley.server.error.ChatException {@code username-taken}
	 */
	Link create(Actor operator, String username) {
		this.accounts.createWithoutPassword(username, operator);
		return createReset(operator, username);
	}

	/**
	 * Changes the state of an account, or whether it is an operator's. Each server knows
	 * it within a second. Disabling ends all sign-ins, forgets the devices for push and
	 * voids the reset link.
	 * @param state null to leave it as it is
	 * @param isOperator null to leave it as it is
	 * @throws io.parley.server.error.ChatException {@code last-operator} if no active
	 * operator would be left, {@code not-allowed} if the caller is one no more,
	 * {@code not-found}
	 */
	Account change(Actor operator, String username, @Nullable AccountState state, @Nullable Boolean isOperator) {
		try {
			tryToChange(operator, username, state, isOperator);
		}
		catch (ConcurrencyFailureException ex) {
			// Another operator made a change at the same moment, and the database chose
			// this one as the victim of a deadlock.
			tryToChange(operator, username, state, isOperator);
		}
		this.states.refresh();
		if (state == AccountState.DISABLED) {
			this.events.publishEvent(new AccountDisabled(username));
		}
		return get(username);
	}

	private void tryToChange(Actor operator, String username, @Nullable AccountState state,
			@Nullable Boolean isOperator) {
		this.transaction.executeWithoutResult((status) -> {
			List<String> operators = this.repository.lockActiveOperators();
			if (!operators.contains(operator.username())) {
				throw ErrorCode.NOT_ALLOWED.because("Only operators may do this.");
			}
			Account account = get(username);
			AccountState newState = (state != null) ? state : account.getState();
			boolean staysOperator = (isOperator != null) ? isOperator : account.isOperator();
			if (operators.equals(List.of(username)) && !(staysOperator && newState == AccountState.ACTIVE)) {
				throw ErrorCode.LAST_OPERATOR.because("'" + username
						+ "' is the last active operator; make another user an operator before you do this.");
			}
			change(operator, account, newState, staysOperator);
		});
	}

	/** Runs in a transaction. Changes nothing if nothing is different. */
	private void change(Actor operator, Account account, AccountState state, boolean isOperator) {
		String username = account.getUsername();
		AccountState before = account.getState();
		if (state == before && isOperator == account.isOperator()) {
			return;
		}
		this.repository.setStatus(username, state, isOperator, now());
		if (state != before) {
			this.audit.record(AuditAction.USER_UPDATED, operator, username, Map.of("from", before, "to", state));
		}
		if (isOperator != account.isOperator()) {
			this.audit.record(AuditAction.AUTHZ_CHANGE, operator, username, Map.of("operator", isOperator));
		}
		if (state != before && state == AccountState.DISABLED) {
			this.resets.remove(username);
			List<String> devices = this.devices.idsOf(username);
			if (!devices.isEmpty()) {
				this.devices.remove(username, devices);
			}
			this.signIns.endAll(username, SignInEnd.DISABLED);
		}
	}

	/**
	 * Makes a link with which a user sets a new password; the previous one is void.
	 * @throws io.parley.server.error.ChatException {@code not-found}, {@code bad-request}
	 * if the account is disabled or belongs to a user of an external issuer
	 */
	Link createReset(Actor operator, String username) {
		LinkToken token = LinkToken.create();
		Instant expiresAt = now().plus(RESET_TIME);
		this.transaction.executeWithoutResult((status) -> {
			this.repository.lock(username);
			if (get(username).getState() == AccountState.DISABLED) {
				throw ErrorCode.BAD_REQUEST.because("'" + username + "' is disabled; reactivate the account first.");
			}
			if (this.identities.isExternal(username)) {
				throw ErrorCode.BAD_REQUEST
					.because("'" + username + "' signs in with an external issuer and has no password here.");
			}
			this.resets.replace(username, token.hash(), expiresAt);
			this.audit.record(AuditAction.AUTHN_PASSWORD_RESET_CREATED, operator, username,
					Map.of("expiresAt", expiresAt));
		});
		return new Link(token, expiresAt);
	}

	/**
	 * Ends all sign-ins of a user.
	 * @throws io.parley.server.error.ChatException {@code not-found}
	 */
	void endSignIns(Actor operator, String username) {
		this.transaction.executeWithoutResult((status) -> {
			get(username);
			this.signIns.endAll(username, SignInEnd.ENDED_BY_OPERATOR);
			this.audit.record(AuditAction.AUTHN_TOKEN_REVOKED, operator, username, Map.of());
		});
	}

	/**
	 * Returns the sign-ins of a user, the last used one first. Those of external issuers
	 * are not known here.
	 * @throws io.parley.server.error.ChatException {@code not-found}
	 */
	List<SignIn> signIns(String username) {
		get(username);
		return this.signIns.live(username);
	}

	/**
	 * Ends one sign-in of a user.
	 * @throws io.parley.server.error.ChatException {@code not-found}
	 */
	void endSignIn(Actor operator, String username, String id) {
		get(username);
		if (!this.signIns.end(username, id, SignInEnd.ENDED_BY_OPERATOR)) {
			throw ErrorCode.NOT_FOUND.because("'" + username + "' has no such sign-in; list them first.");
		}
		this.audit.record(AuditAction.AUTHN_TOKEN_REVOKED, operator, username, Map.of("signIns", 1));
	}

	private static Instant now() {
		return Instant.now().truncatedTo(ChronoUnit.MILLIS);
	}

}
