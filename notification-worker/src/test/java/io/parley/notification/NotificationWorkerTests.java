package io.parley.notification;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

import io.parley.events.EventRecord;
import io.parley.events.MemberJoined;
import io.parley.events.MessagePosted;
import io.parley.events.Positions;
import io.parley.events.RoomEvent;
import io.parley.log.RoomLog;
import io.parley.log.worker.ReaderSettings;
import io.parley.store.log.LogEpochs;
import io.parley.store.log.ParkedEvents;
import io.parley.store.log.ReaderOffsets;
import io.parley.store.presence.NodePresence;
import io.parley.store.room.Member;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.Room;
import io.parley.store.room.RoomKind;
import io.parley.store.room.RoomRepository;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.TestConstructor;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest(classes = PushApplication.class, properties = "spring.datasource.url=jdbc:h2:mem:push")
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
class NotificationWorkerTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

	private final RoomRepository rooms;

	private final MemberRepository members;

	private final NodePresence presence;

	private final ParkedEvents parked;

	private final RoomLog log;

	private final RecordingProvider provider = new RecordingProvider();

	private final ReaderOffsets offsets;

	private final TransactionTemplate transaction;

	private final long epoch;

	private final NotificationWorker worker;

	private final String room = "room-" + UUID.randomUUID();

	NotificationWorkerTests(RoomRepository rooms, MemberRepository members, NodePresence presence, ParkedEvents parked,
			ReaderOffsets offsets, LogEpochs epochs, TemporaryLogs logs, PlatformTransactionManager transactions) {
		this.log = logs.open();
		this.rooms = rooms;
		this.members = members;
		this.presence = presence;
		this.parked = parked;
		this.offsets = offsets;
		this.transaction = new TransactionTemplate(transactions);
		this.epoch = epochs.current(this.log.id(), 1);
		this.worker = worker();
	}

	@AfterEach
	void stop() {
		this.worker.stop();
		this.presence.clear("node");
		this.log.close();
	}

	@Test
	void pushesToTheMembersWhoAreAway() {
		room("anna", "bert", "cleo", "dora");
		this.presence.renew("node", Instant.now(), Duration.ofSeconds(60));
		this.presence.online("node", List.of("cleo"));
		post("anna", "Hello");
		this.worker.start();
		await().until(() -> this.provider.pushed().size() == 2);
		assertThat(this.provider.pushed()).containsExactly(push("bert", 0, "Hello"), push("dora", 0, "Hello"));
		await().until(() -> this.worker.lag() == 0);
	}

	@Test
	void pushesToThoseWhoseNodeIsGone() {
		room("anna", "bert");
		this.presence.renew("node", Instant.now(), Duration.ofSeconds(-1));
		this.presence.online("node", List.of("bert"));
		post("anna", "Hello");
		this.worker.start();
		await().until(() -> this.provider.pushedTo().contains("bert"));
	}

	@Test
	void pushesNothingForEventsThatAreNoMessages() {
		room("anna", "bert");
		append(new MemberJoined(this.room, "id", "anna", NOW, "bert"));
		post("anna", "Hello");
		this.worker.start();
		await().until(() -> !this.provider.pushed().isEmpty());
		assertThat(this.provider.pushed()).containsExactly(push("bert", 1, "Hello"));
	}

	@Test
	void reachesEveryMemberOfABigRoomOnce() {
		List<String> everybody = IntStream.range(0, 1201).mapToObj((i) -> "user%04d".formatted(i)).toList();
		room(everybody.toArray(String[]::new));
		post("user0700", "Hello");
		this.worker.start();
		await().until(() -> this.provider.pushed().size() >= 1200);
		assertThat(this.provider.pushedTo()).doesNotContain("user0700").doesNotHaveDuplicates().hasSize(1200);
	}

	@Test
	void triesAgainFromTheMessageThatFailedUntilItIsTaken() {
		room("anna", "bert");
		post("anna", "First");
		post("bert", "Second");
		post("anna", "Third");
		this.provider.refuse("anna");
		this.worker.start();
		await().until(() -> this.offsets.next(NotificationWorker.READER, 0, this.epoch) == 1);
		assertThat(this.worker.lag()).isPositive();
		this.provider.refuse("");
		await().until(() -> this.offsets.next(NotificationWorker.READER, 0, this.epoch) == 3);
		assertThat(this.provider.pushed()).containsExactly(push("bert", 0, "First"),
				new PushNotification("anna", this.room, "The room", Positions.of(this.epoch, 1), "bert", "Second"),
				push("bert", 2, "Third"));
	}

	@Test
	void goesOnWhereItStoppedAfterARestart() {
		room("anna", "bert");
		post("anna", "First");
		this.worker.start();
		await().until(() -> this.offsets.next(NotificationWorker.READER, 0, this.epoch) == 1);
		this.worker.stop();
		post("anna", "Second");
		NotificationWorker successor = worker();
		successor.start();
		await().until(() -> this.offsets.next(NotificationWorker.READER, 0, this.epoch) == 2);
		successor.stop();
		assertThat(this.provider.pushed()).containsExactly(push("bert", 0, "First"), push("bert", 1, "Second"));
	}

	@Test
	void parksWhatItCannotRead() {
		long before = this.parked.count(NotificationWorker.READER);
		room("anna", "bert");
		this.log.append(0, new byte[] { 99 }).join();
		post("anna", "Hello");
		this.worker.start();
		await().until(() -> !this.provider.pushed().isEmpty());
		assertThat(this.parked.count(NotificationWorker.READER)).isEqualTo(before + 1);
	}

	private NotificationWorker worker() {
		AwayMembers away = new AwayMembers(this.members, this.presence, Clock.systemUTC());
		MessageReader reader = new MessageReader(this.transaction, this.offsets, this.parked,
				new MessagePusher(away, this.rooms, this.provider), this.epoch);
		return new NotificationWorker(this.log, reader,
				new ReaderSettings(100, Duration.ofMillis(50), Duration.ofMillis(1), Duration.ofMillis(20)),
				(event) -> {
				});
	}

	private void room(String... usernames) {
		this.rooms
			.save(new Room(this.room, "The room", RoomKind.GROUP, null, usernames.length, null, usernames[0], NOW));
		this.members.saveAll(List.of(usernames).stream().map((user) -> new Member(this.room, user, NOW)).toList());
	}

	private void post(String sender, String text) {
		append(new MessagePosted(this.room, UUID.randomUUID().toString(), sender, UUID.randomUUID().toString(), NOW,
				text, Map.of()));
	}

	private void append(RoomEvent event) {
		this.log.append(0, EventRecord.of(event).encode()).join();
	}

	private PushNotification push(String username, long offset, String text) {
		return new PushNotification(username, this.room, "The room", Positions.of(this.epoch, offset), "anna", text);
	}

}
