package io.parley.benchmark;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;

import io.parley.events.EventRecord;
import io.parley.store.UtcTime;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** A row of {@code room_event} as an entity. */
@Entity
@Table(name = "room_event")
@IdClass(EventRow.Key.class)
public class EventRow {

	@Id
	private String roomId;

	@Id
	private long position;

	private long prev;

	private long number;

	private String type;

	private String eventId;

	private String sender;

	private @Nullable String clientId;

	private LocalDateTime sentAt;

	private String body;

	@SuppressWarnings("NullAway.Init") // for JPA, which sets the fields
	protected EventRow() {
	}

	public EventRow(long position, long prev, long number, EventRecord event) {
		this.roomId = event.room();
		this.position = position;
		this.prev = prev;
		this.number = number;
		this.type = event.type().wireName();
		this.eventId = event.id();
		this.sender = event.sender();
		this.clientId = event.clientId();
		this.sentAt = UtcTime.of(event.sentAt());
		this.body = new String(event.tail(), StandardCharsets.UTF_8);
	}

	/** The room and the position. */
	public record Key(String roomId, long position) implements Serializable {
	}

}
