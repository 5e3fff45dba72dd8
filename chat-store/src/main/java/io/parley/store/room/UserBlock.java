package io.parley.store.room;

import java.io.Serializable;
import java.time.Instant;

import io.parley.store.AssignedKey;
import io.parley.store.UtcInstant;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import org.hibernate.annotations.JavaType;

/** A user who has blocked another user. */
@Entity
@Table(name = "user_block")
@IdClass(UserBlock.Key.class)
public class UserBlock extends AssignedKey<UserBlock.Key> {

	@Id
	private String username;

	@Id
	private String blocked;

	@JavaType(UtcInstant.class)
	private Instant since;

	@SuppressWarnings("NullAway.Init") // for JPA, which sets the fields
	protected UserBlock() {
	}

	UserBlock(String username, String blocked, Instant since) {
		this.username = username;
		this.blocked = blocked;
		this.since = since;
	}

	@Override
	public Key getId() {
		return new Key(this.username, this.blocked);
	}

	/** The user and the blocked user. */
	public record Key(String username, String blocked) implements Serializable {
	}

}
