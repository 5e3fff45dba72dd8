package io.parley.conformance;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.parley.events.Positions;
import io.parley.notification.NotificationWorker;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import io.parley.server.timeline.PositionConverter;
import io.parley.store.log.ReaderOffsets;
import io.parley.store.presence.RoomPresence;
import io.parley.store.push.PushLogEntry;
import io.parley.store.push.PushLogRepository;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the explanation that operators get for a message without push log entries. */
@UnlimitedServer
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class PushExplanationTests {

	private static final String RECEIVED = "A live session of the user had received";

	private final ChatServer server;

	private final PushLogRepository log;

	private final ReaderOffsets offsets;

	private final PositionConverter positions;

	private final JdbcTemplate jdbc;

	private final RoomPresence presence;

	/** Created once, because a decision takes some seconds. */
	private String room = "";

	private long receivedLive;

	PushExplanationTests(ChatServer server, PushLogRepository log, ReaderOffsets offsets, PositionConverter positions,
			JdbcTemplate jdbc, RoomPresence presence) {
		this.server = server;
		this.log = log;
		this.offsets = offsets;
		this.positions = positions;
		this.jdbc = jdbc;
		this.presence = presence;
	}

	@BeforeEach
	void clear() {
		forgetEntries();
		addEntry(Instant.EPOCH);
		this.jdbc.update("DELETE FROM device");
		this.server.user("bert").post("/api/devices", Map.of("token", "of-bert", "platform", "web")).expect(201);
	}

	private void forgetEntries() {
		this.jdbc.update("DELETE FROM push_log");
	}

	@Test
	void noSuchEvent() {
		String room = this.server.room("anna", "bert");
		long head = this.server.user("anna").say(room, "c1", "text");
		for (long position : new long[] { Long.MIN_VALUE, -1, 0, 1, head + 1, Long.MAX_VALUE }) {
			assertThat(explanation("bert", room, position)).endsWith("has no event at position " + position + ".");
		}
	}

	@Test
	void anEventThatIsNoMessage() {
		String room = this.server.room("anna", "bert");
		long created = this.server.user("anna").history(room, "").getFirst().path("position").asLong();
		assertThat(explanation("bert", room, created)).contains("is not a message but room.created");
	}

	@Test
	void theUserSentIt() {
		String room = this.server.room("anna", "bert");
		long position = this.server.user("anna").say(room, "c1", "text");
		assertThat(explanation("anna", room, position)).isEqualTo("The user sent the message.");
	}

	@Test
	void theUserIsNotInTheRoom() {
		String room = this.server.room("anna");
		this.server.user("dora");
		long position = this.server.user("anna").say(room, "c1", "text");
		assertThat(explanation("dora", room, position)).isEqualTo("The user is not in the room.");
	}

	@Test
	void theUserJoinedLater() {
		String room = this.server.room("anna");
		this.server.user("dora");
		long position = this.server.user("anna").say(room, "c1", "text");
		awaitRead(room, position);
		this.server.user("anna").join(room, "dora").expect(201);
		assertThat(explanation("dora", room, position))
			.isEqualTo("The user joined the room after the message was sent.");
	}

	@Test
	void theWorkerHasNotReadIt() {
		long position = receivedLive();
		String room = this.room;
		int partition = this.positions.partition(room);
		long next = this.offsets.next(NotificationWorker.READER, partition, this.positions.epoch());
		// Other messages of the partition may follow this one.
		setOffset(partition, Positions.offset(position));
		try {
			assertThat(explanation("bert", room, position))
				.isEqualTo("The notification-worker has not read the message yet.");
		}
		finally {
			setOffset(partition, next);
		}
	}

	@Test
	void aLiveSessionHadReceivedIt() {
		long position = receivedLive();
		String room = this.room;
		assertThat(explanation("bert", room, position)).startsWith(RECEIVED).endsWith("nothing is recorded.");
	}

	@Test
	void theUserHasNoDevice() {
		long position = receivedLive();
		String room = this.room;
		this.jdbc.update("DELETE FROM device");
		assertThat(explanation("bert", room, position)).startsWith("The user has no device now");
	}

	@Test
	void theEntriesMayHaveExpired() {
		long position = receivedLive();
		String room = this.room;
		forgetEntries();
		addEntry(Instant.now().plusSeconds(60));
		assertThat(explanation("bert", room, position))
			.startsWith("The message is older than the oldest entry that is kept");
	}

	/**
	 * Returns the position of a message that Bert has received live, without its push log
	 * entries.
	 */
	private long receivedLive() {
		if (this.receivedLive == 0) {
			this.room = this.server.room("anna", "bert");
			this.receivedLive = sayWhileBertListens(this.room);
		}
		forgetEntries();
		addEntry(Instant.EPOCH);
		return this.receivedLive;
	}

	private long sayWhileBertListens(String room) {
		try (StompConnection bert = this.server.connect("bert")) {
			bert.subscribe("room", "/topic/rooms." + room);
			Awaitility.await()
				.until(() -> this.presence.followersAmong(room, List.of("bert"), Instant.now()).containsKey("bert"));
			long position = this.server.user("anna").say(room, "c1", "text");
			bert.expectEvent("room", (event) -> event.path("position").asLong() == position);
			Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.until(() -> explanation("bert", room, position).startsWith(RECEIVED));
			return position;
		}
	}

	private void awaitRead(String room, long position) {
		Awaitility.await()
			.until(() -> this.positions.position(this.offsets.next(NotificationWorker.READER,
					this.positions.partition(room), this.positions.epoch())) > position);
	}

	private void setOffset(int partition, long next) {
		this.jdbc.update("UPDATE reader_offset SET next_offset = ? WHERE reader = ? AND partition_no = ?", next,
				NotificationWorker.READER, partition);
	}

	private void addEntry(Instant at) {
		this.log.add(List.of(new PushLogEntry("nobody", "none", 1, 1, at, PushLogEntry.Outcome.MUTED, null, null, "")));
	}

	private String explanation(String user, String room, long position) {
		return this.server.user("olga")
			.get("/api/push/log?user=" + user + "&room=" + room + "&position=" + position)
			.expect(200)
			.body()
			.path("explanation")
			.asString();
	}

}
