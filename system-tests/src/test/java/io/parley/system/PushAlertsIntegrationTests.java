package io.parley.system;

import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import io.parley.fakefcm.Behaviour;
import io.parley.fakefcm.FakeFcm;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Pushes that fail or wait, and our alerts in a real Prometheus. */
@Tag("exhaustive")
class PushAlertsIntegrationTests {

	private static final List<String> USERS = IntStream.range(0, 5).mapToObj((i) -> "user" + i).toList();

	private static final Path DIRECTORY = Path.of("target/fake-fcm").toAbsolutePath();

	private static final FakeFcm fcm = FakeFcm.start();

	@RegisterExtension
	final ChatServerProcess server = new ChatServerProcess("--chat.push.provider=fcm",
			"--chat.push.fcm.endpoint=" + fcm.endpoint(),
			"--chat.push.fcm.credentials=" + fcm.serviceAccountFile(DIRECTORY), "--chat.push.fcm.ssl-bundle=fcm",
			"--spring.ssl.bundle.pem.fcm.truststore.certificate=file:" + fcm.trustCertificateFile(DIRECTORY),
			"--chat.push.fcm.read-timeout=5m", "--chat.push.grace=2s", "--chat.push.retry-delay=1s",
			"--chat.limits.sends-per-second=0");

	@TempDir
	private Path directory;

	private final ChatApi api = new ChatApi(this.server.url());

	@BeforeEach
	void start() throws Exception {
		AlertMonitor.assumeInstalled();
		this.server.start();
	}

	@AfterAll
	static void close() {
		fcm.close();
	}

	@Test
	void tellsOfPushesThatFail() throws Exception {
		assertAlerts(Behaviour.Kind.UNAVAILABLE, "ParleyPushesFail");
	}

	@Test
	void tellsOfAnotherProject() throws Exception {
		assertAlerts(Behaviour.Kind.SENDER_ID_MISMATCH, "ParleyPushWrongProject", "ParleyErrorsLogged");
	}

	/** A worker sends four batches at once. */
	@Test
	void tellsOfPushesThatWait() throws Exception {
		registerUsers(Behaviour.Kind.HANG);
		String token = this.api.login("alice", "demo");
		try (AlertMonitor monitor = new AlertMonitor(this.directory, this.server.managementUrl())) {
			for (String user : USERS) {
				int before = fcm.requests(device(user));
				String room = this.api.createRoom(token, "Room", List.of(user));
				this.api.post(token, room, UUID.randomUUID().toString(), "text");
				if (!user.equals(USERS.getLast())) {
					AlertMonitor.await().until(() -> fcm.requests(device(user)) > before);
				}
			}
			monitor.awaitFiring("ParleyPushesLate");
		}
	}

	private void assertAlerts(Behaviour.Kind kind, String... alerts) throws Exception {
		registerUsers(kind);
		String token = this.api.login("alice", "demo");
		String room = this.api.createRoom(token, "Room", USERS);
		try (AlertMonitor monitor = new AlertMonitor(this.directory, this.server.managementUrl())) {
			this.api.post(token, room, UUID.randomUUID().toString(), "text");
			monitor.awaitFiring(alerts);
		}
	}

	private void registerUsers(Behaviour.Kind kind) {
		for (String user : USERS) {
			this.api.register(user);
			this.api.registerDevice(this.api.login(user), device(user), "android");
			fcm.behave(device(user), kind);
		}
	}

	private static String device(String user) {
		return "device:" + user;
	}

}
