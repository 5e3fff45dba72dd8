package io.parley.server.account;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;

import io.parley.server.audit.Actor;
import io.parley.server.audit.AuditAction;
import io.parley.server.audit.AuditLog;
import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.server.settings.ImpossibleSettingsException;
import io.parley.store.account.Account;
import io.parley.store.account.AccountRepository;
import io.parley.store.account.AccountState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.env.Profiles;
import org.springframework.stereotype.Component;

/**
 * Makes the first operator of {@link FirstOperatorProperties} while there is none. An
 * account that exists becomes an operator only if it has the configured password: anyone
 * may have registered the name.
 */
@Component
class FirstOperator {

	private static final Logger log = LoggerFactory.getLogger(FirstOperator.class);

	private static final String LOCAL = "local";

	private static final String KEY = "chat.security.first-operator";

	private static final String REMOVED_KEY = "chat.security.operators";

	private final FirstOperatorProperties properties;

	private final AccountService accounts;

	private final AccountRepository repository;

	private final AccountStateCache states;

	private final PasswordRules rules;

	private final AuditLog audit;

	private final boolean demo;

	FirstOperator(FirstOperatorProperties properties, AccountService accounts, AccountRepository repository,
			AccountStateCache states, PasswordRules rules, AuditLog audit, Environment environment) {
		if (!environment.getProperty(REMOVED_KEY, environment.getProperty(REMOVED_KEY + "[0]", "")).isEmpty()) {
			throw new ImpossibleSettingsException(
					REMOVED_KEY + " was removed: an operator is a flag of the account now."
							+ " Remove the setting, make the first operator with " + KEY + ".username and .password,"
							+ " and the others with \"./chat users operator\".");
		}
		this.properties = properties;
		this.accounts = accounts;
		this.repository = repository;
		this.states = states;
		this.rules = rules;
		this.audit = audit;
		this.demo = environment.acceptsProfiles(Profiles.of("demo"));
	}

	/** Runs after the demo users were created, and before the server is ready. */
	@EventListener(ApplicationStartedEvent.class)
	@Order(Ordered.LOWEST_PRECEDENCE)
	void prepare() {
		this.audit.record(AuditAction.SYS_STARTUP, Actor.SERVER, null, Map.of("demo", this.demo));
		if (!this.demo) {
			demoteDemoUsers();
		}
		if (!this.repository.hasActiveOperator()) {
			make(this.properties.username(), this.properties.password());
		}
		this.states.refresh();
	}

	/**
	 * Takes the flag from operators with the public demo password, whose tokens may still
	 * be valid.
	 */
	private void demoteDemoUsers() {
		for (Account account : this.repository.findByStateAndOperator(AccountState.ACTIVE, true)) {
			if (this.accounts.hasDemoPassword(account)) {
				setOperator(account.getUsername(), false);
				log.warn("'{}' is no operator any more: the account has the password of the demo",
						account.getUsername());
			}
		}
	}

	private void make(@Nullable String username, @Nullable String password) {
		if (username == null || username.isEmpty() || password == null || password.isEmpty()) {
			log.warn("There is no operator: set {}.username and {}.password, and restart the server", KEY, KEY);
			return;
		}
		Account account = this.repository.findById(username).orElse(null);
		if (account == null) {
			create(username, password);
		}
		else {
			promote(account, password);
		}
	}

	private void create(String username, String password) {
		if (!username.matches(AuthController.NAME)) {
			throw new ImpossibleSettingsException(KEY + ".username " + AuthController.NAME_MESSAGE + ".");
		}
		try {
			this.rules.require(username, password);
			this.accounts.create(username, password, LOCAL, (hash) -> new Account(username, hash, now()).asOperator(),
					Actor.SERVER, Map.of("by", "first-operator", "operator", true));
			log.info("Created the operator '{}'; remove {}.password from the settings", username, KEY);
		}
		catch (ChatException ex) {
			if (ex.errorCode() == ErrorCode.USERNAME_TAKEN && this.repository.hasActiveOperator()) {
				// Another server that starts now was faster.
				return;
			}
			throw new ImpossibleSettingsException(KEY + " makes no operator: " + ex.reason());
		}
	}

	private void promote(Account account, String password) {
		if (account.getState() != AccountState.ACTIVE || !this.accounts.matches(account, password)) {
			throw new ImpossibleSettingsException("There is no operator, and " + KEY + ".username is an account that"
					+ " is not active or has another password than " + KEY + ".password: choose another name, or set"
					+ " the password of the account.");
		}
		setOperator(account.getUsername(), true);
		log.info("Made '{}' an operator; remove {}.password from the settings", account.getUsername(), KEY);
	}

	private void setOperator(String username, boolean operator) {
		this.repository.setStatus(username, AccountState.ACTIVE, operator, now());
		this.audit.record(AuditAction.AUTHZ_CHANGE, Actor.SERVER, username, Map.of("operator", operator));
	}

	private static Instant now() {
		return Instant.now().truncatedTo(ChronoUnit.MILLIS);
	}

}
