package io.parley.benchmark;

import java.time.LocalDateTime;

import io.parley.store.UtcTime;
import io.parley.store.push.PushKey;
import io.parley.store.push.PushTask;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** A row of {@code push_task} as an entity. */
@Entity
@Table(name = "push_task")
@IdClass(PushKey.class)
public class TaskRow {

	@Id
	private String username;

	@Id
	@Column(name = "room_id")
	private String room;

	private long firstPosition;

	private long lastPosition;

	private int messages;

	private long mention;

	private String sender;

	private String text;

	private LocalDateTime sentAt;

	private LocalDateTime dueAt;

	private LocalDateTime expiresAt;

	private int attempts;

	private @Nullable String retryDevices;

	private int retryMessages;

	private @Nullable String claim;

	private @Nullable LocalDateTime waitsSince;

	@SuppressWarnings("NullAway.Init") // for JPA, which sets the fields
	protected TaskRow() {
	}

	public TaskRow(PushTask task) {
		this.username = task.username();
		this.room = task.room();
		this.firstPosition = task.firstPosition();
		this.lastPosition = task.lastPosition();
		this.messages = task.messages();
		this.mention = mention(task);
		this.sender = task.sender();
		this.text = task.text();
		this.sentAt = UtcTime.of(task.sentAt());
		this.dueAt = UtcTime.of(task.dueAt());
		this.expiresAt = UtcTime.of(task.expiresAt());
	}

	/** Does the same as the statement of the store. */
	public void merge(PushTask task) {
		if (task.lastPosition() >= this.lastPosition) {
			this.sender = task.sender();
			this.text = task.text();
		}
		this.sentAt = later(this.sentAt, UtcTime.of(task.sentAt()));
		this.firstPosition = Math.min(this.firstPosition, task.firstPosition());
		this.lastPosition = Math.max(this.lastPosition, task.lastPosition());
		this.messages += task.messages();
		this.mention = Math.max(this.mention, mention(task));
		this.expiresAt = later(this.expiresAt, UtcTime.of(task.expiresAt()));
		LocalDateTime due = UtcTime.of(task.dueAt());
		if (task.mentioned() && this.claim == null && this.attempts == 0 && due.isBefore(this.dueAt)) {
			this.dueAt = due;
		}
	}

	private static LocalDateTime later(LocalDateTime one, LocalDateTime other) {
		return other.isAfter(one) ? other : one;
	}

	private static long mention(PushTask task) {
		return task.mention();
	}

}
