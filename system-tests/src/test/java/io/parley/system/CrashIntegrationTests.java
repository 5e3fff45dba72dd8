package io.parley.system;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Kills the server at random moments under load: nothing acknowledged is lost. */
class CrashIntegrationTests {

	private static final boolean FULL_SIZE = Boolean.getBoolean("parley.test.full-size");

	private static final int RATE = FULL_SIZE ? 200 : 50;

	/** The second kill hits a server that has recovered from the first one. */
	private static final int KILLS = FULL_SIZE ? 5 : 2;

	private static final int USERS = 10;

	private static final int ROOMS = 5;

	/** Every fifth user gives up the messages in flight when the server is killed. */
	private static final int IMPATIENT = 5;

	/** The receipts of three seconds without delays. */
	private static final int MAX_RECEIPTS_BEFORE_KILL = 3 * RATE;

	/** Lets every client resume, however long a restart takes. */
	private static final String REPLAY_ALL = "--chat.history.replay=1000000";

	@RegisterExtension
	final ChatServerProcess server = new ChatServerProcess("--chat.limits.sends-per-second=0", REPLAY_ALL);

	private final ChatApi api = new ChatApi(this.server.url());

	private final Ledger ledger = new Ledger();

	private final Random random = new Random(seed());

	private final List<String> users = IntStream.range(0, USERS).mapToObj((i) -> "user" + i).toList();

	private final Map<String, String> tokens = new HashMap<>();

	private final List<String> rooms = new ArrayList<>();

	private final Map<String, Long> begin = new HashMap<>();

	private final List<CrashSender> senders = new ArrayList<>();

	private final List<CrashSubscriber> subscribers = new ArrayList<>();

	private static long seed() {
		long seed = Long.getLong("crash.seed", ThreadLocalRandom.current().nextLong());
		System.out.println("Crash test with -Dcrash.seed=" + seed);
		return seed;
	}

	@AfterEach
	void stop() {
		this.senders.forEach(CrashSender::stop);
		this.subscribers.forEach(CrashSubscriber::stop);
	}

	@Test
	void losesNothingAcknowledgedWhenKilledUnderLoad() throws Exception {
		this.server.start();
		signUp();
		connect();
		List<LateArrival> late = new ArrayList<>();
		Metronome metronome = new Metronome(RATE, this::sendOne).start();
		try (metronome) {
			for (int kill = 0; kill < KILLS; kill++) {
				awaitReceipts(this.random.nextInt(MAX_RECEIPTS_BEFORE_KILL));
				late.add(LateArrival.arrive(this.api, this.users.getFirst(), this.tokens, "late" + kill));
				this.server.kill9();
				this.server.start();
			}
		}
		System.out.printf("Asked for %d/s, reached %.1f/s for %.0f s (latest %d ms behind), %d kills, %d sent again%n",
				RATE, metronome.rate(), metronome.seconds(), metronome.latestMillis(), KILLS, this.ledger.repeats());
		Awaitility.await("all receipts")
			.atMost(Duration.ofMinutes(2))
			.until(() -> this.senders.stream().allMatch(CrashSender::isDone));
		check(histories());
		late.forEach((arrival) -> arrival.assertExists(this.api));
		assertSameAfterRestart();
	}

	private void awaitReceipts(int more) {
		int wanted = this.ledger.acknowledged().size() + more;
		Awaitility.await("receipts since the restart")
			.atMost(Duration.ofMinutes(2))
			.pollInterval(Duration.ofMillis(10))
			.until(() -> this.ledger.acknowledged().size() >= wanted);
	}

	private void sendOne(long beat) {
		this.senders.get((int) (beat % USERS)).offer(this.rooms.get((int) (beat / USERS % ROOMS)));
	}

	private void signUp() {
		for (String user : this.users) {
			this.api.register(user);
			this.tokens.put(user, this.api.login(user));
		}
		for (int i = 0; i < ROOMS; i++) {
			String token = this.tokens.get(this.users.getFirst());
			String room = this.api.createRoom(token, "Room " + i, this.users);
			this.rooms.add(room);
			this.begin.put(room, new RoomHistory(room, this.api.history(token, room)).head());
		}
	}

	/**
	 * Connects each user with one session that sends to all rooms and one that follows a
	 * room.
	 */
	private void connect() {
		for (int i = 0; i < USERS; i++) {
			String user = this.users.get(i);
			String token = this.tokens.get(user);
			boolean patient = i % IMPATIENT != 0;
			this.senders.add(new CrashSender(this.server.url(), user, token, patient, this.ledger));
			this.subscribers.add(new CrashSubscriber(this.server.url(), token, this.rooms.get(i % ROOMS)));
		}
		this.senders.forEach(Thread.ofVirtual()::start);
		this.subscribers.forEach(Thread.ofVirtual()::start);
		Awaitility.await("subscriptions")
			.atMost(Duration.ofMinutes(1))
			.until(() -> this.subscribers.stream().allMatch(CrashSubscriber::hasBegun));
	}

	private List<RoomHistory> histories() {
		String token = this.tokens.get(this.users.getFirst());
		return this.rooms.stream().map((room) -> new RoomHistory(room, this.api.history(token, room))).toList();
	}

	private void check(List<RoomHistory> histories) {
		CrashCounts counts = CrashCounts.of(this.ledger,
				histories.stream()
					.flatMap((history) -> history.messages().stream())
					.map((message) -> message.path("clientId").asString())
					.toList());
		System.out.println(counts);
		assertThat(this.ledger.rejections()).as("rejections").isEmpty();
		assertThat(counts.lost()).as("lost").isZero();
		assertThat(counts.unexpected()).as("unexpected").isZero();
		assertThat(counts.duplicated()).as("duplicated").isZero();
		for (RoomHistory history : histories) {
			history.assertUnbroken();
			history.assertSendersInOrder(this.ledger);
		}
		histories.forEach(this::checkSubscribers);
	}

	private void checkSubscribers(RoomHistory history) {
		for (CrashSubscriber subscriber : this.subscribers) {
			if (subscriber.room().equals(history.room())) {
				Awaitility.await("a subscriber at the head")
					.atMost(Duration.ofMinutes(1))
					.until(() -> subscriber.hasReached(history.head()));
				System.out.println(subscriber);
				assertThat(subscriber.connections()).as("connections").isEqualTo(KILLS + 1);
				assertThat(subscriber.notRecovered()).as("'recovered: false'").isZero();
				assertThat(subscriber.disorders()).as("positions out of order").isZero();
				int repeats = history.assertFollowedBy(subscriber, this.begin.get(history.room()));
				assertThat(subscriber.gaps()).as("gaps without a retry that explains them")
					.isLessThanOrEqualTo(repeats);
			}
		}
	}

	/** After the restart, the history comes from the database alone. */
	private void assertSameAfterRestart() throws Exception {
		List<List<JsonNode>> before = histories().stream().map(RoomHistory::events).toList();
		this.server.stop();
		this.server.start();
		assertThat(histories().stream().map(RoomHistory::events)).as("histories after a restart")
			.containsExactlyElementsOf(before);
	}

}
