package io.parley.store.room;

import java.time.Instant;

import io.parley.store.AssignedKey;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/**
 * A room. Its member count changes only by {@link RoomRepository#takePlace} and
 * {@link RoomRepository#freePlace}, so that it never exceeds the capacity.
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

	@SuppressWarnings("NullAway.Init") // for JPA, which sets the fields
	protected Room() {
	}

	/**
	 * A room to be saved.
	 * @param capacity the highest number of members; null for no limit
	 * @param memberCount how many members are saved along with it
	 * @param directKey unique among all rooms; null unless the room is direct
	 */
	public Room(String id, String name, RoomKind kind, @Nullable Integer capacity, int memberCount,
			@Nullable String directKey, String createdBy, Instant createdAt) {
		this.id = id;
		this.name = name;
		this.kind = kind;
		this.capacity = capacity;
		this.memberCount = memberCount;
		this.directKey = directKey;
		this.createdBy = createdBy;
		this.createdAt = createdAt;
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

	/** Whether no place was left when the room was read. */
	public boolean isFull() {
		return this.capacity != null && this.memberCount >= this.capacity;
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
