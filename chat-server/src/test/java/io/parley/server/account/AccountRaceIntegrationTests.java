package io.parley.server.account;

import java.util.List;
import java.util.Map;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.ServerOnMySql;
import io.parley.store.Threads;
import io.parley.store.push.DeviceRepository;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** An account is changed from all sides at the same moment. */
@ServerOnMySql
@Tag("exhaustive")
class AccountRaceIntegrationTests {

	private static final int THREADS = 24;

	/** The number of attempts to provoke a race. */
	private static final int ROUNDS = Boolean.getBoolean("parley.test.full-size") ? 50 : 5;

	private final ChatServer server;

	private final DeviceRepository devices;

	AccountRaceIntegrationTests(ChatServer server, DeviceRepository devices) {
		this.server = server;
		this.devices = devices;
	}

	@Test
	void noRequestFailsWhateverHappensAtOnce() {
		ChatApi olga = this.server.user("olga");
		for (int round = 0; round < ROUNDS; round++) {
			String name = "everyone" + round;
			String path = "/api/operator/users/" + name;
			ChatApi user = this.server.user(name);
			String link = olga.post(path + "/reset", Map.of()).expect(201).body().path("token").asString();
			List<ChatApi.Answer> answers = Threads.atOnce(THREADS, (thread) -> switch (thread % 8) {
				case 0 -> this.server.anonymous()
					.post("/api/auth/reset", Map.of("token", link, "password", "a new secret of the tests" + thread));
				case 1 -> olga.post(path + "/reset", Map.of());
				case 2 -> user.put("/api/me/password",
						Map.of("current", ChatApi.PASSWORD, "password", "another secret of the tests" + thread));
				case 3 -> olga.patch(path, Map.of("state", (thread % 16 < 8) ? "suspended" : "disabled"));
				case 4 -> this.server.anonymous()
					.post("/api/auth/login", Map.of("username", name, "password", ChatApi.PASSWORD));
				case 5 -> user.post("/api/devices", Map.of("token", name + thread, "platform", "android"));
				case 6 -> olga.delete(path + "/sign-ins");
				default -> user.refreshWith(user.refreshToken());
			});
			assertThat(answers).extracting(ChatApi.Answer::code).doesNotContain("internal");
		}
	}

	@Test
	void aDisabledAccountHasNoDevices() {
		ChatApi olga = this.server.user("olga");
		for (int round = 0; round < ROUNDS; round++) {
			String name = "carrier" + round;
			ChatApi user = this.server.user(name);
			List<ChatApi.Answer> answers = Threads.atOnce(THREADS,
					(thread) -> (thread == THREADS / 2)
							? olga.patch("/api/operator/users/" + name, Map.of("state", "disabled"))
							: user.post("/api/devices", Map.of("token", name + thread, "platform", "android")));
			assertThat(answers).extracting(ChatApi.Answer::status).containsOnlyOnce(200).isSubsetOf(200, 201, 401);
			assertThat(this.devices.of(name)).isEmpty();
		}
	}

}
