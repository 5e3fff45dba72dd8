package io.parley.store.room;

import java.time.Instant;

import io.parley.store.AssignedKey;
import io.parley.store.UtcInstant;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import org.hibernate.annotations.JavaType;
import org.jspecify.annotations.Nullable;

/**
 * A restriction of a user in a room. It outlives the membership, so that nobody escapes
 * it by leaving and joining again.
 */
@Entity
@Table(name = "room_restriction")
@IdClass(Member.Key.class)
class Restriction extends AssignedKey<Member.Key> {

	@Id
	private String roomId;

	@Id
	private String username;

	private boolean reader;

	@JavaType(UtcInstant.class)
	private @Nullable Instant mutedUntil;

	@SuppressWarnings("NullAway.Init") // for JPA, which sets the fields
	protected Restriction() {
	}

	Restriction(String roomId, String username) {
		this.roomId = roomId;
		this.username = username;
	}

	@Override
	public Member.Key getId() {
		return new Member.Key(this.roomId, this.username);
	}

	boolean isReader() {
		return this.reader;
	}

	void setReader(boolean reader) {
		this.reader = reader;
	}

	void setMutedUntil(@Nullable Instant mutedUntil) {
		this.mutedUntil = mutedUntil;
	}

	boolean isEmpty() {
		return !this.reader && this.mutedUntil == null;
	}

}
