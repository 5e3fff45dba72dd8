package io.parley.store.push;

import java.time.Instant;

import io.parley.store.AssignedKey;
import io.parley.store.UtcInstant;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.hibernate.annotations.JavaType;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;

/** The row of a {@link Device}. */
@Entity
@Table(name = "device")
public class RegisteredDevice extends AssignedKey<String> {

	static final int MAX_PER_USER = 50;

	@Id
	@JdbcTypeCode(SqlTypes.CHAR)
	private String id;

	private String username;

	@Enumerated(EnumType.STRING)
	@Column(updatable = false)
	private Device.Kind kind;

	@Column(updatable = false)
	private String token;

	@Enumerated(EnumType.STRING)
	private Device.Platform platform;

	@JavaType(UtcInstant.class)
	@Column(updatable = false)
	private Instant registeredAt;

	@JavaType(UtcInstant.class)
	private Instant seenAt;

	@SuppressWarnings("NullAway.Init") // for JPA, which sets the fields
	protected RegisteredDevice() {
	}

	RegisteredDevice(String id, String username, Device.Kind kind, String token, Device.Platform platform,
			Instant now) {
		this.id = id;
		this.username = username;
		this.kind = kind;
		this.token = token;
		this.platform = platform;
		this.registeredAt = now;
		this.seenAt = now;
	}

	@Override
	public String getId() {
		return this.id;
	}

	/**
	 * Moves the device to the user who has registered it now.
	 * @return whether it belonged to another user before
	 */
	boolean registerAgain(String by, Device.Platform on, Instant now) {
		boolean moved = !this.username.equals(by);
		this.username = by;
		this.platform = on;
		this.seenAt = now;
		return moved;
	}

}
