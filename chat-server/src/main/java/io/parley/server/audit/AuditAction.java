package io.parley.server.audit;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The subject of an entry of the audit log. The names are public and never change; most
 * of them are those of the OWASP logging vocabulary. {@code docs/operations.md} lists all
 * of them.
 */
public enum AuditAction {

	/** A user signed in. */
	AUTHN_LOGIN_SUCCESS(true),

	/** A sign-in was refused. */
	AUTHN_LOGIN_FAIL(true),

	/** A user changed the password, or set it with a link. */
	AUTHN_PASSWORD_CHANGE(false),

	/** A change of the password was refused, because the current one was wrong. */
	AUTHN_PASSWORD_CHANGE_FAIL(true),

	/** An operator made a link with which a user sets a password. */
	AUTHN_PASSWORD_RESET_CREATED(false),

	/** A user signed out or ended sign-ins of other devices, or an operator ended all. */
	AUTHN_TOKEN_REVOKED(true),

	/** A spent refresh token was used: somebody may have stolen it. */
	AUTHN_TOKEN_REUSE(true),

	/** A user asked for something that only operators may do. */
	AUTHZ_FAIL(true),

	/** A user became an operator, or is one no more. */
	AUTHZ_CHANGE(false),

	/** Somebody failed too often to sign in, or with a link. */
	EXCESS_RATE_LIMIT_EXCEEDED(true),

	/** An account was registered, or created by an operator. */
	USER_CREATED(false),

	/** An account was suspended, disabled or reactivated. */
	USER_UPDATED(false),

	/** An operator made a link with which people register. */
	USER_INVITE_CREATED(false),

	/** An operator revoked such a link. */
	USER_INVITE_REVOKED(false),

	/** A member reported a message. */
	REPORT_CREATED(false),

	/** A moderator or an operator closed the report of a message. */
	REPORT_CLOSED(false),

	/** An operator read data of others. */
	OPERATOR_READ(true),

	/** A server started. */
	SYS_STARTUP(false);

	private final boolean bounded;

	AuditAction(boolean bounded) {
		this.bounded = bounded;
	}

	/** Returns whether clients can repeat it at will, so that a flood is summarized. */
	boolean isBounded() {
		return this.bounded;
	}

	String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

	static Optional<AuditAction> ofWireName(String name) {
		return Arrays.stream(values()).filter((action) -> action.wireName().equals(name)).findFirst();
	}

}
