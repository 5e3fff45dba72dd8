package io.parley.store.room;

import java.time.Instant;

import io.parley.store.AssignedKey;
import io.parley.store.UtcInstant;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.hibernate.annotations.JavaType;
import org.jspecify.annotations.Nullable;

/** A link by which users join a room. Its secret is stored as a hash only. */
@Entity
@Table(name = "room_invite")
public class Invite extends AssignedKey<String> {

	@Id
	private String id;

	private String roomId;

	private String secretHash;

	private String createdBy;

	@JavaType(UtcInstant.class)
	private Instant createdAt;

	@JavaType(UtcInstant.class)
	private Instant expiresAt;

	private @Nullable Integer maxUses;

	private int uses;

	@SuppressWarnings("NullAway.Init") // for JPA, which sets the fields
	protected Invite() {
	}

	/**
	 * Creates an invite to be saved.
	 * @param secretHash unique among all invites
	 * @param maxUses how many users may join by it; null for no limit
	 */
	public Invite(String id, String roomId, String secretHash, String createdBy, Instant createdAt, Instant expiresAt,
			@Nullable Integer maxUses) {
		this.id = id;
		this.roomId = roomId;
		this.secretHash = secretHash;
		this.createdBy = createdBy;
		this.createdAt = createdAt;
		this.expiresAt = expiresAt;
		this.maxUses = maxUses;
	}

	@Override
	public String getId() {
		return this.id;
	}

	public String getRoomId() {
		return this.roomId;
	}

	public String getCreatedBy() {
		return this.createdBy;
	}

	public Instant getCreatedAt() {
		return this.createdAt;
	}

	public Instant getExpiresAt() {
		return this.expiresAt;
	}

	public @Nullable Integer getMaxUses() {
		return this.maxUses;
	}

	/** Returns how many users have joined by this link. */
	public int getUses() {
		return this.uses;
	}

}
