package io.parley.server.account;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

import io.parley.server.audit.Actor;
import io.parley.server.audit.AuditAction;
import io.parley.server.audit.AuditLog;
import io.parley.server.error.ErrorCode;
import io.parley.store.account.AccountInvite;
import io.parley.store.account.AccountInviteRepository;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The links with which people register, as operators make and revoke them. Each change is
 * in the audit log.
 */
@Component
class InviteAdministration {

	private static final Logger log = LoggerFactory.getLogger(InviteAdministration.class);

	private static final int MAX_LISTED = 1_000;

	/** Expired links are kept that long. */
	private static final Duration KEPT = Duration.ofDays(30);

	private final AccountInviteRepository invites;

	private final AuditLog audit;

	private final TransactionTemplate transaction;

	InviteAdministration(AccountInviteRepository invites, AuditLog audit, TransactionTemplate transaction) {
		this.invites = invites;
		this.audit = audit;
		this.transaction = transaction;
	}

	/** A new link, and its secret, which is shown once. */
	record NewInvite(AccountInvite invite, LinkToken token) {
	}

	NewInvite create(Actor operator, int uses, Duration valid) {
		Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
		LinkToken token = LinkToken.create();
		AccountInvite invite = new AccountInvite(LinkToken.create().value(), String.valueOf(operator.username()), now,
				now.plus(valid), uses, 0);
		this.transaction.executeWithoutResult((status) -> {
			this.invites.add(invite, token.hash());
			this.audit.record(AuditAction.USER_INVITE_CREATED, operator, null,
					Map.of("invite", invite.id(), "uses", uses, "expiresAt", invite.expiresAt()));
		});
		return new NewInvite(invite, token);
	}

	/** Returns the links that have not expired, the newest first, at most 1,000. */
	List<AccountInvite> valid() {
		return this.invites.valid(Instant.now(), MAX_LISTED);
	}

	/**
	 * Revokes a link.
	 * @throws io.parley.server.error.ChatException {@code not-found}
	 */
	void revoke(Actor operator, String id) {
		this.transaction.executeWithoutResult((status) -> {
			if (!this.invites.remove(id)) {
				throw ErrorCode.NOT_FOUND.because("There is no invitation with that id.");
			}
			this.audit.record(AuditAction.USER_INVITE_REVOKED, operator, null, Map.of("invite", id));
		});
	}

	@Scheduled(fixedDelay = 3_600_000, initialDelay = 120_000)
	void removeExpired() {
		try {
			this.invites.removeExpired(Instant.now().minus(KEPT));
		}
		catch (RuntimeException ex) {
			log.debug("Failed to remove expired invitations; the next attempt is in an hour", ex);
		}
	}

}
