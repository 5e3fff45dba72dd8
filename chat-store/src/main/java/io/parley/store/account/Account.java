package io.parley.store.account;

import java.time.Instant;

import io.parley.store.AssignedKey;
import io.parley.store.UtcInstant;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.hibernate.annotations.JavaType;
import org.jspecify.annotations.Nullable;

/**
 * An account of a user. Usernames are case-sensitive. Accounts are never deleted, so that
 * nobody gets the rooms and messages of an earlier user of the same name.
 */
@Entity
@Table(name = "account")
public class Account extends AssignedKey<String> {

	@Id
	private String username;

	private String passwordHash;

	private Instant createdAt;

	private int signInVersion;

	private AccountState state = AccountState.ACTIVE;

	@Column(name = "is_operator")
	private boolean operator;

	@JavaType(UtcInstant.class)
	private @Nullable Instant changedAt;

	@SuppressWarnings("NullAway.Init") // for JPA, which sets the fields
	protected Account() {
	}

	public Account(String username, String passwordHash, Instant createdAt) {
		this.username = username;
		this.passwordHash = passwordHash;
		this.createdAt = createdAt;
	}

	/** Makes this new account, which is not stored yet, that of an operator. */
	public Account asOperator() {
		this.operator = true;
		this.changedAt = this.createdAt;
		return this;
	}

	@Override
	public String getId() {
		return this.username;
	}

	public String getUsername() {
		return this.username;
	}

	public String getPasswordHash() {
		return this.passwordHash;
	}

	public Instant getCreatedAt() {
		return this.createdAt;
	}

	/**
	 * Returns a number that rises when all sign-ins, or all except one, are ended. A
	 * sign-in that began before that must not be stored.
	 */
	public int getSignInVersion() {
		return this.signInVersion;
	}

	public AccountState getState() {
		return this.state;
	}

	public boolean isOperator() {
		return this.operator;
	}

}
