package io.parley.store.account;

import java.time.Instant;

import io.parley.store.AssignedKey;
import io.parley.store.UtcInstant;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.hibernate.annotations.JavaType;
import org.jspecify.annotations.Nullable;

/**
 * A device that is or was signed in. The generation is that of its newest refresh token.
 */
@Entity
@Table(name = "sign_in")
public class SignIn extends AssignedKey<String> {

	/** Maximum length of the name of a device. */
	public static final int MAX_DEVICE = 128;

	@Id
	private String id;

	private String username;

	private long generation;

	private String device;

	@JavaType(UtcInstant.class)
	private Instant createdAt;

	@JavaType(UtcInstant.class)
	private Instant usedAt;

	@JavaType(UtcInstant.class)
	private @Nullable Instant rotatedAt;

	@JavaType(UtcInstant.class)
	private Instant expiresAt;

	@JavaType(UtcInstant.class)
	private @Nullable Instant endedAt;

	private @Nullable String reason;

	@SuppressWarnings("NullAway.Init") // for JPA, which sets the fields
	protected SignIn() {
	}

	/**
	 * Creates a sign-in of generation 1.
	 * @param device a name of the device, at most {@link #MAX_DEVICE} characters
	 */
	public SignIn(String id, String username, String device, Instant createdAt, Instant expiresAt) {
		this.id = id;
		this.username = username;
		this.generation = 1;
		this.device = device;
		this.createdAt = createdAt;
		this.usedAt = createdAt;
		this.expiresAt = expiresAt;
	}

	@Override
	public String getId() {
		return this.id;
	}

	public String getUsername() {
		return this.username;
	}

	public long getGeneration() {
		return this.generation;
	}

	public String getDevice() {
		return this.device;
	}

	public Instant getCreatedAt() {
		return this.createdAt;
	}

	/** Returns when tokens were last issued. */
	public Instant getUsedAt() {
		return this.usedAt;
	}

	/** Returns when the generation last rose, or null if it never has. */
	public @Nullable Instant getRotatedAt() {
		return this.rotatedAt;
	}

	/** Returns when the sign-in ends unless its tokens are refreshed before. */
	public Instant getExpiresAt() {
		return this.expiresAt;
	}

	/** Returns when the sign-in was ended, or null if it was not. */
	public @Nullable Instant getEndedAt() {
		return this.endedAt;
	}

	/** Returns why the sign-in was ended, or null if it was not. */
	public @Nullable String getReason() {
		return this.reason;
	}

}
