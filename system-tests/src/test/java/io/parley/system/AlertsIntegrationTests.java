package io.parley.system;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.parley.log.SigningKey;
import io.parley.log.rabbitmq.RabbitBroker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.awaitility.Awaitility.await;

/**
 * Kills what the packaged server needs, and waits for our alerts in a real Prometheus.
 */
@Tag("exhaustive")
class AlertsIntegrationTests {

	private static final long RETAINED = 12_000_000;

	private static final long SEGMENT = 500_000;

	private static final int TEXT = 15_000;

	private static final int CLIENTS = 5;

	@RegisterExtension
	static final RabbitBroker broker = new RabbitBroker();

	@TempDir
	private Path directory;

	private final StoppableDatabase database = new StoppableDatabase();

	private final String prefix = "test-" + UUID.randomUUID();

	@RegisterExtension
	final ChatServerProcess server = new ChatServerProcess(settings("one"));

	/** Some tests start it too. */
	@RegisterExtension
	final ChatServerProcess other = new ChatServerProcess(settings("other"));

	private final ChatApi api = new ChatApi(this.server.url());

	private @Nullable AlertMonitor monitor;

	private String token = "";

	private String room = "";

	private String[] settings(String node) {
		return new String[] { "--chat.node.id=" + node, "--chat.broker.mode=bus", "--chat.log.backend=rabbitmq",
				"--chat.workers.in-process=true", "--chat.log.rabbitmq.addresses=" + broker.address(),
				"--chat.log.rabbitmq.username=" + RabbitBroker.USER,
				"--chat.log.rabbitmq.password=" + RabbitBroker.USER, "--chat.log.rabbitmq.stream-prefix=" + this.prefix,
				"--chat.log.rabbitmq.max-length=" + RETAINED, "--chat.log.rabbitmq.segment-size=" + SEGMENT,
				"--chat.log.partitions=2", "--chat.limits.sends-per-second=0",
				"--chat.security.jwt.private-key=file:" + SigningKey.file(), this.database.setting() };
	}

	@BeforeEach
	void start() throws Exception {
		AlertMonitor.assumeInstalled();
		this.database.start(this.directory);
		this.server.start();
		this.token = this.api.login("alice", "demo");
		this.room = this.api.createRoom(this.token, "Room", List.of());
		this.api.post(this.token, this.room, "c1", "before");
		this.monitor = new AlertMonitor(this.directory, this.server.managementUrl());
	}

	@AfterEach
	void stop() throws Exception {
		if (this.monitor != null) {
			this.monitor.close();
		}
		this.database.kill();
	}

	@Test
	void tellsOfAServerThatIsGone() throws Exception {
		this.server.kill9();
		monitor().awaitFiring("ParleyProcessDown", "ParleyNoChatServer", "ParleyNoPersistence", "ParleyNoNotification");
		this.server.start();
		monitor().awaitNothingFiring();
	}

	@Test
	void tellsOfALogThatIsGone() throws Exception {
		broker.stop();
		try {
			monitor().awaitFiring(this::postOrFail, "ParleyLogUnavailable", "ParleyMessagesRefused",
					"ParleyServerErrors");
		}
		finally {
			broker.start();
		}
		AlertMonitor.await().until(() -> !monitor().firing().contains("ParleyLogUnavailable"));
	}

	@Test
	void tellsOfADatabaseThatIsGone() throws Exception {
		this.database.kill();
		this.api.post(this.token, this.room, "c2", "not stored");
		monitor().awaitFiring("ParleyStorageLate", "ParleyPushReaderLate");
		this.database.start(this.directory);
		AlertMonitor.await().until(() -> !monitor().firing().contains("ParleyStorageLate"));
	}

	/** A policy makes the broker keep less than the servers expect. */
	@Test
	void tellsOfRecordsThatNoWorkerHasRead() throws Exception {
		// The server tells the log for the first time what is unread.
		AlertMonitor.await()
			.until(() -> monitor().value("process_uptime_seconds-scalar(application_ready_time_seconds)") > 6);
		AtomicInteger receipts = new AtomicInteger();
		try (StompClient client = StompClient.connect(this.server.url(), this.token,
				(frame) -> receipts.incrementAndGet())) {
			this.database.kill();
			fill(client, RETAINED * 7 / 10);
			AlertMonitor.await().until(() -> receipts.get() == RETAINED * 7 / 10 / TEXT);
			monitor().awaitFiring("ParleyUnreadAtRisk");
			broker.keepLess(this.prefix, SEGMENT);
			fill(client, 2 * SEGMENT);
		}
		this.database.start(this.directory);
		monitor().awaitFiring("ParleyRecordsLost");
	}

	private void fill(StompClient client, long bytes) throws IOException {
		for (int i = 0; i < bytes / TEXT; i++) {
			client.say(this.room, "x".repeat(TEXT));
		}
	}

	/** The pool has one connection, and its transaction waits for a lock. */
	@Test
	void tellsOfRequestsThatWaitForTheDatabase() throws Exception {
		AtomicBoolean locked = new AtomicBoolean(true);
		try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
				Connection other = this.database.connect()) {
			other.setAutoCommit(false);
			other.createStatement().execute("SELECT * FROM account WHERE username = 'alice' FOR UPDATE");
			for (int i = 0; i < CLIENTS; i++) {
				clients.execute(() -> {
					while (locked.get()) {
						this.api.tryRegisterDevice(this.token, "device", "android");
					}
				});
			}
			try {
				monitor().awaitFiring("ParleyDatabaseBusy");
			}
			finally {
				locked.set(false);
			}
		}
	}

	/** The server of the reader stands still while another one accepts a message. */
	@Test
	void tellsOfLateDeliveries() throws Exception {
		this.other.start();
		ChatApi elsewhere = new ChatApi(this.other.url());
		try (StompClient reader = StompClient.connect(this.server.url(), this.token, (frame) -> {
		})) {
			reader.subscribe("s", "/topic/rooms." + this.room);
			monitor().awaitFiring(() -> {
				String text = UUID.randomUUID().toString();
				this.server.pause();
				try {
					elsewhere.post(this.token, this.room, text, text);
					Instant late = Instant.now().plusMillis(2_500);
					return await().until(Instant::now, late::isBefore);
				}
				finally {
					this.server.unpause();
				}
			}, "ParleyDeliveryLate");
		}
	}

	private AlertMonitor monitor() {
		return Objects.requireNonNull(this.monitor);
	}

	private boolean postOrFail() {
		try {
			this.api.post(this.token, this.room, UUID.randomUUID().toString(), "away");
			return true;
		}
		catch (AssertionError | Exception ex) {
			// The log refuses it: that is counted.
			return false;
		}
	}

}
