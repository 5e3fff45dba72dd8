package io.parley.store.account;

import java.time.Instant;

import io.parley.store.AssignedKey;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A user who may sign in. Usernames are case-sensitive. */
@Entity
@Table(name = "account")
public class Account extends AssignedKey<String> {

	@Id
	private String username;

	private String passwordHash;

	private Instant createdAt;

	@SuppressWarnings("NullAway.Init") // for JPA, which sets the fields
	protected Account() {
	}

	public Account(String username, String passwordHash, Instant createdAt) {
		this.username = username;
		this.passwordHash = passwordHash;
		this.createdAt = createdAt;
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

}
