package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.parley.server.testing.BackendCondition;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.TwoServers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Changes of the settings of a room that cross on two servers. */
@Tag("exhaustive")
@Relay
@ExtendWith(BackendCondition.class)
class TwoServersRoomSettingsTests {

	private static final int ROUNDS = 20;

	@RegisterExtension
	static final SharedTwoServers servers = new SharedTwoServers();

	@Test
	void theLastEventSaysWhatTheDatabaseSays() throws Exception {
		TwoServers both = servers.get();
		String room = both.one().room("anna", "bert");
		List<ChatApi> devices = List.of(both.one().user("anna"), both.two().user("anna"));
		CyclicBarrier together = new CyclicBarrier(2);
		try (StompConnection bert = both.two().connect("bert");
				ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			bert.follow("s", room);
			for (int round = 0; round < ROUNDS; round++) {
				List<Future<Integer>> changes = new ArrayList<>();
				for (ChatApi device : devices) {
					String name = "round " + round + " device " + devices.indexOf(device);
					changes.add(threads.submit(() -> {
						together.await();
						return device.patch("/api/rooms/" + room, Map.of("name", name)).status();
					}));
				}
				for (Future<Integer> change : changes) {
					assertThat(change.get()).isEqualTo(200);
				}
				String name = devices.getFirst().listed(room).path("name").asString();
				assertThat(devices.getLast().listed(room).path("name").asString()).isEqualTo(name);
				await().untilAsserted(() -> assertThat(bert.events("s")).last()
					.satisfies((event) -> assertThat(event.path("name").asString()).isEqualTo(name)));
			}
		}
	}

	@Test
	void whoMayPinIsTheSameOnBothServers() {
		TwoServers both = servers.get();
		String room = both.one().room("anna", "bert");
		long target = both.one().user("anna").say(room, "c", "text");
		ChatApi bert = both.two().user("bert");
		await().until(() -> bert.pin(room, target, true).code().equals("not-allowed"));
		both.one().user("anna").patch("/api/rooms/" + room, Map.of("memberPins", true)).expect(200);
		await().until(() -> bert.pin(room, target, true).status() == 202);
		both.one().user("anna").patch("/api/rooms/" + room, Map.of("memberPins", false)).expect(200);
		await().until(() -> bert.pin(room, target, false).code().equals("not-allowed"));
		assertThat(both.one().user("anna").pins(room)).hasSize(1);
	}

}
