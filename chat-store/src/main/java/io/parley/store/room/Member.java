package io.parley.store.room;

import java.io.Serializable;
import java.time.Instant;

import io.parley.store.AssignedKey;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;

/** The membership of a user in a room. */
@Entity
@Table(name = "room_member")
@IdClass(Member.Key.class)
public class Member extends AssignedKey<Member.Key> {

	@Id
	private String roomId;

	@Id
	private String username;

	private Instant joinedAt;

	private RoomRole role;

	@SuppressWarnings("NullAway.Init") // for JPA, which sets the fields
	protected Member() {
	}

	public Member(String roomId, String username, RoomRole role, Instant joinedAt) {
		this.roomId = roomId;
		this.username = username;
		this.role = role;
		this.joinedAt = joinedAt;
	}

	@Override
	public Key getId() {
		return new Key(this.roomId, this.username);
	}

	public String getRoomId() {
		return this.roomId;
	}

	public String getUsername() {
		return this.username;
	}

	public RoomRole getRole() {
		return this.role;
	}

	public Instant getJoinedAt() {
		return this.joinedAt;
	}

	/** The room and the user. */
	public record Key(String roomId, String username) implements Serializable {
	}

}
