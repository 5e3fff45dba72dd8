package io.parley.server.push;

import java.util.List;
import java.util.Optional;

import io.parley.server.account.AccountService;
import io.parley.server.error.ErrorCode;
import io.parley.store.push.PushKey;
import io.parley.store.push.PushLogEntry;
import io.parley.store.push.PushLogRepository;
import io.parley.store.push.PushTask;
import io.parley.store.push.PushTaskRepository;
import io.parley.store.room.RoomRepository;
import org.jspecify.annotations.Nullable;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Explains to operators why a push was sent or not. */
@RestController
class PushLogController {

	private static final int LATEST = 50;

	private final PushLogRepository log;

	private final PushTaskRepository tasks;

	private final PushExplanation explanation;

	private final AccountService accounts;

	private final RoomRepository rooms;

	PushLogController(PushLogRepository log, PushTaskRepository tasks, PushExplanation explanation,
			AccountService accounts, RoomRepository rooms) {
		this.log = log;
		this.tasks = tasks;
		this.explanation = explanation;
		this.accounts = accounts;
		this.rooms = rooms;
	}

	@GetMapping("/api/push/log")
	PushLogView log(@RequestParam String user, @RequestParam String room, @RequestParam @Nullable Long position) {
		if (!this.accounts.exists(user)) {
			throw ErrorCode.NOT_FOUND.because("There is no user '" + user + "'.");
		}
		if (!this.rooms.existsById(room)) {
			throw ErrorCode.NOT_FOUND.because("There is no room '" + room + "'.");
		}
		return (position != null) ? about(user, room, position) : latest(user, room);
	}

	/** Returns the same as plain text for people. */
	@GetMapping(path = "/api/push/log.txt", produces = MediaType.TEXT_PLAIN_VALUE + ";charset=UTF-8")
	String lines(@RequestParam String user, @RequestParam String room, @RequestParam @Nullable Long position) {
		return log(user, room, position).lines();
	}

	/**
	 * Queries in the order in which a message moves through the stages, so that a message
	 * that moves on in between is not missed.
	 */
	private PushLogView about(String user, String room, long position) {
		boolean read = this.explanation.isRead(room, position);
		PushKey key = new PushKey(user, room, this.explanation.thread(room, position));
		PushTask pending = this.tasks.pending(key)
			.filter((task) -> task.firstPosition() <= position && position <= task.lastPosition())
			.orElse(null);
		List<PushLogEntry> entries = this.log.about(key, position);
		return PushLogView.of(user, room, position, entries, pending,
				this.explanation.of(user, room, position, read, entries, pending));
	}

	private PushLogView latest(String user, String room) {
		Optional<PushTask> pending = this.tasks.pending(user, room);
		List<PushLogEntry> entries = this.log.latest(user, room, LATEST);
		return PushLogView.of(user, room, null, entries, pending.orElse(null),
				this.explanation.of(user, room, entries, pending.orElse(null)));
	}

}
