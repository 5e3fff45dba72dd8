package io.parley.persistence;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.parley.events.EventRecord;
import io.parley.events.EventType;
import io.parley.events.MemberJoined;
import io.parley.events.Mentions;
import io.parley.events.MessageDeleted;
import io.parley.events.MessageEdited;
import io.parley.events.MessagePosted;
import io.parley.events.PinChanged;
import io.parley.events.Positions;
import io.parley.events.Reaction;
import io.parley.events.ReactionChanged;
import io.parley.events.RecordFormat;
import io.parley.events.RoomNames;
import io.parley.log.LogReader;
import io.parley.log.LogRecord;
import io.parley.log.RoomLog;
import io.parley.log.embedded.EmbeddedLogSettings;
import io.parley.log.embedded.EmbeddedRoomLog;
import io.parley.log.worker.ReaderSettings;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.event.StoredEvent;
import io.parley.store.log.LogEpochs;
import io.parley.store.log.ParkedEvents;
import io.parley.store.log.ReaderOffsets;
import io.parley.trace.MessageTracer;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.FileSystemUtils;

/** Creates logs, workers and events for tests. */
class PersistenceFixture implements DisposableBean {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

	private static final ReaderSettings SETTINGS = new ReaderSettings(100, Duration.ofMillis(50), Duration.ofMillis(1),
			Duration.ofMillis(20));

	private final LogEpochs epochs;

	private final ReaderOffsets offsets;

	private final ParkedEvents parked;

	private final RoomEventRepository events;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	private final Path directory;

	private final AtomicInteger logs = new AtomicInteger();

	PersistenceFixture(LogEpochs epochs, ReaderOffsets offsets, ParkedEvents parked, RoomEventRepository events,
			JdbcTemplate jdbc, PlatformTransactionManager transactions) throws IOException {
		this.epochs = epochs;
		this.offsets = offsets;
		this.parked = parked;
		this.events = events;
		this.jdbc = jdbc;
		this.transaction = new TransactionTemplate(transactions);
		this.directory = Files.createTempDirectory("room-logs");
	}

	@Override
	public void destroy() throws IOException {
		FileSystemUtils.deleteRecursively(this.directory);
	}

	/** Creates a log. The test must close it. */
	RoomLog log() {
		return log(2);
	}

	RoomLog log(int partitions) {
		return log(this.directory.resolve("log" + this.logs.getAndIncrement()), partitions);
	}

	static RoomLog log(Path directory, int partitions) {
		return EmbeddedRoomLog.open(new EmbeddedLogSettings(directory, partitions, Duration.ofDays(1), 0));
	}

	EventWriter writer(RoomLog log, PersistenceListener listener) {
		long epoch = this.epochs.current(log);
		return new EventWriter(this.transaction,
				new BatchTransaction(this.offsets, this.parked, new EventTables(this.jdbc), epoch), this.offsets,
				this.events, epoch, listener, MessageTracer.off());
	}

	EventWriter writer(RoomLog log) {
		return writer(log, (partition, next) -> {
		});
	}

	/** Stores records in batches of this size. */
	void store(RoomLog log, int partition, List<LogRecord> records, int size) {
		EventWriter writer = writer(log);
		for (int from = 0; from < records.size(); from += size) {
			writer.handle(partition, records.subList(from, Math.min(records.size(), from + size)));
		}
	}

	PersistenceWorker worker(RoomLog log) {
		return new PersistenceWorker(log, writer(log), SETTINGS, (event) -> {
		});
	}

	ParkedReplay replay(RoomLog log) {
		return new ParkedReplay(log, this.epochs, this.offsets, this.parked, this.events, this.jdbc,
				this.transaction.getTransactionManager());
	}

	/** Makes the writer park a record, like an earlier build that cannot read it. */
	void parkBy(EventWriter writer, LogRecord record) {
		writer.handle(record.partition(),
				List.of(new LogRecord(record.partition(), record.offset(), new byte[] { 99 })));
		this.jdbc.update("UPDATE parked_event SET record = ? WHERE record_offset = ? AND record = ?", record.data(),
				record.offset(), new byte[] { 99 });
	}

	/** Parks a record of the log. */
	void park(RoomLog log, LogRecord record) {
		this.parked.park(PersistenceWorker.READER, record.partition(), this.epochs.current(log), record.offset(),
				"Unknown event type", record.data());
	}

	static String room() {
		return "room-" + UUID.randomUUID();
	}

	static EventRecord message(String room, String sender, String clientId) {
		return EventRecord
			.of(new MessagePosted(room, UUID.randomUUID().toString(), sender, clientId, NOW, "Hello", Map.of()));
	}

	static EventRecord message(String room, String sender, String clientId, Instant sentAt, Mentions mentions) {
		return EventRecord.of(new MessagePosted(room, UUID.randomUUID().toString(), sender, clientId, sentAt, "Hello",
				Map.of(), false, 0, null, mentions));
	}

	/** Returns an edit that changes whom a message mentions. */
	static EventRecord edit(String room, String clientId, long target, Instant sentAt, @Nullable Mentions mentions) {
		return EventRecord.of(new MessageEdited(room, UUID.randomUUID().toString(), "anna", clientId, sentAt, target,
				"edited", 0, mentions, Mentions.NONE));
	}

	/** Returns an event of a type that this build does not know. */
	static byte[] later(String room, String clientId, int flags) {
		return new EventRecord(new EventType(77, "poll.opened"), flags, room, UUID.randomUUID().toString(), "anna",
				clientId, NOW, "\"question\":\"Lunch?\"}".getBytes(StandardCharsets.UTF_8))
			.encode(RecordFormat.V2);
	}

	/** Returns a reply in the thread of a message of anna. */
	static EventRecord reply(String room, String sender, String clientId, long root) {
		return EventRecord.of(new MessagePosted(room, UUID.randomUUID().toString(), sender, clientId, NOW, "Reply",
				Map.of(), false, 0, new MessagePosted.InThread(root, "anna")));
	}

	static EventRecord deleteReply(String room, String clientId, long target, long root) {
		return EventRecord.of(new MessageDeleted(room, UUID.randomUUID().toString(), "anna", clientId, NOW, target,
				"author", null, root));
	}

	static EventRecord edit(String room, String clientId, long target, String text) {
		return EventRecord
			.of(new MessageEdited(room, UUID.randomUUID().toString(), "anna", clientId, NOW, target, text));
	}

	/** Returns a change of reactions, for users whose names begin with + or -. */
	static EventRecord react(String room, long target, String key, String... users) {
		List<Reaction.Change> changes = Stream.of(users)
			.map((user) -> new Reaction.Change(new Reaction(user.substring(1), key), user.startsWith("+")))
			.toList();
		return EventRecord.of(new ReactionChanged(room, UUID.randomUUID().toString(), "anna", NOW, target,
				Map.of(key, users.length), changes));
	}

	static EventRecord pin(String room, long target, boolean on) {
		return EventRecord
			.of(new PinChanged(room, UUID.randomUUID().toString(), "anna", null, NOW, target, on, Positions.NONE));
	}

	static EventRecord delete(String room, String clientId, long target) {
		return EventRecord
			.of(new MessageDeleted(room, UUID.randomUUID().toString(), "anna", clientId, NOW, target, "author", null));
	}

	static EventRecord joined(String room) {
		return EventRecord.of(new MemberJoined(room, UUID.randomUUID().toString(), "anna", NOW, "bert"));
	}

	static void append(RoomLog log, EventRecord... events) {
		List.of(events).stream().map((event) -> appending(log, event)).toList().forEach(CompletableFuture::join);
	}

	static CompletableFuture<Long> appending(RoomLog log, EventRecord event) {
		return log.append(RoomNames.partition(event.room(), log.partitions()), event.encode(RecordFormat.V2));
	}

	/** Returns the records of the room's partition. */
	static List<LogRecord> records(RoomLog log, String room) throws InterruptedException {
		int partition = RoomNames.partition(room, log.partitions());
		List<LogRecord> records = new ArrayList<>();
		try (LogReader reader = log.follow(partition, 0)) {
			while (records.size() < log.endOffset(partition)) {
				records.addAll(reader.poll(Integer.MAX_VALUE, Duration.ofSeconds(5)));
			}
		}
		return records;
	}

	List<StoredEvent> history(String room) {
		return this.events.after(room, 0, Integer.MAX_VALUE);
	}

	/** Resets the database to the state before the first record was stored. */
	void forget(RoomLog log, List<String> rooms) {
		long epoch = this.epochs.current(log);
		this.transaction.executeWithoutResult((status) -> {
			this.jdbc.update("UPDATE reader_offset SET next_offset = 0 WHERE epoch = ?", epoch);
			for (String room : rooms) {
				this.jdbc.update("DELETE FROM room_event WHERE room_id = ?", room);
				this.jdbc.update("DELETE FROM room_head WHERE room_id = ?", room);
				this.jdbc.update("DELETE FROM message_state WHERE room_id = ?", room);
				this.jdbc.update("DELETE FROM reaction WHERE room_id = ?", room);
				this.jdbc.update("DELETE FROM thread_reply WHERE room_id = ?", room);
				this.jdbc.update("DELETE FROM thread_participant WHERE room_id = ?", room);
				this.jdbc.update("DELETE FROM mention WHERE room_id = ?", room);
			}
		});
	}

	List<String> parkedReasons(RoomLog log) {
		return this.jdbc.queryForList("SELECT reason FROM parked_event WHERE epoch = ? ORDER BY record_offset",
				String.class, this.epochs.current(log));
	}

}
