package io.parley.store.room;

import java.time.Instant;

import io.parley.store.AssignedKey;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/**
 * A room. Its member count is changed only by {@link RoomRepository#addToMemberCount} and
 * {@link RoomRepository#decrementMemberCount}, while the room is locked.
 */
@Entity
@Table(name = "room")
public class Room extends AssignedKey<String> {

	@Id
	private String id;

	private String name;

	private RoomKind kind;

	private @Nullable Integer capacity;

	private int memberCount;

	private @Nullable String directKey;

	private String createdBy;

	private Instant createdAt;

	private boolean inviteOnly;

	private int slowMode;

	private String topic = "";

	private boolean memberPins;

	@SuppressWarnings("NullAway.Init") // for JPA, which sets the fields
	protected Room() {
	}

	/**
	 * Creates a room to be saved.
	 * @param capacity the maximum number of members; null for no limit
	 * @param memberCount the number of members that are saved along with the room
	 * @param directKey unique among all rooms; null unless the room is direct
	 * @param inviteOnly whether a channel is private; other rooms always are
	 */
	public Room(String id, String name, RoomKind kind, @Nullable Integer capacity, int memberCount,
			@Nullable String directKey, String createdBy, Instant createdAt, boolean inviteOnly) {
		this.id = id;
		this.name = name;
		this.kind = kind;
		this.capacity = capacity;
		this.memberCount = memberCount;
		this.directKey = directKey;
		this.createdBy = createdBy;
		this.createdAt = createdAt;
		this.inviteOnly = inviteOnly;
	}

	@Override
	public String getId() {
		return this.id;
	}

	public String getName() {
		return this.name;
	}

	public RoomKind getKind() {
		return this.kind;
	}

	public @Nullable Integer getCapacity() {
		return this.capacity;
	}

	public int getMemberCount() {
		return this.memberCount;
	}

	/** Returns whether the room was full when it was read. */
	public boolean isFull() {
		return this.capacity != null && this.memberCount >= this.capacity;
	}

	/** Returns whether every signed-in user may join. */
	public boolean isOpen() {
		return this.kind == RoomKind.CHANNEL && !this.inviteOnly;
	}

	/** Returns the seconds between two messages of a member; 0 if slow mode is off. */
	public int getSlowMode() {
		return this.slowMode;
	}

	/** Returns the topic, or "" if there is none. */
	public String getTopic() {
		return this.topic;
	}

	/** Returns whether members may pin messages; always so in a direct room. */
	public boolean isMemberPins() {
		return this.memberPins || this.kind == RoomKind.DIRECT;
	}

	/** Returns the settings. A direct room has those of a new room. */
	public RoomSettings settings() {
		return new RoomSettings(this.name, this.topic, this.slowMode, this.memberPins);
	}

	public @Nullable String getDirectKey() {
		return this.directKey;
	}

	public String getCreatedBy() {
		return this.createdBy;
	}

	public Instant getCreatedAt() {
		return this.createdAt;
	}

}
