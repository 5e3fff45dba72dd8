package io.parley.store.room;

import java.time.Instant;

import io.parley.store.AssignedKey;
import io.parley.store.UtcInstant;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import org.hibernate.annotations.JavaType;

/** A user who stays out of a room. */
@Entity
@Table(name = "room_ban")
@IdClass(Member.Key.class)
class Ban extends AssignedKey<Member.Key> {

	@Id
	private String roomId;

	@Id
	private String username;

	private String bannedBy;

	@JavaType(UtcInstant.class)
	private Instant bannedAt;

	@SuppressWarnings("NullAway.Init") // for JPA, which sets the fields
	protected Ban() {
	}

	Ban(String roomId, String username, String bannedBy, Instant bannedAt) {
		this.roomId = roomId;
		this.username = username;
		this.bannedBy = bannedBy;
		this.bannedAt = bannedAt;
	}

	@Override
	public Member.Key getId() {
		return new Member.Key(this.roomId, this.username);
	}

}
