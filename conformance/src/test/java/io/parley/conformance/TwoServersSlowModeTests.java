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
import io.parley.server.testing.TwoServers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Slow mode is one for all servers. */
@Tag("exhaustive")
@Relay
@ExtendWith(BackendCondition.class)
class TwoServersSlowModeTests {

	@RegisterExtension
	static final SharedTwoServers servers = new SharedTwoServers();

	@Test
	void oneMessageIsAcceptedOnAllServersTogether() throws Exception {
		TwoServers both = servers.get();
		String room = both.one().room("anna", "bert");
		List<ChatApi> devices = List.of(both.one().user("bert"), both.two().user("bert"));
		devices.forEach((device) -> device.get("/api/rooms/" + room).expect(200));
		post(devices.getLast(), room, "before").expect(202);
		both.one().user("anna").put("/api/rooms/" + room + "/slow-mode", Map.of("seconds", 600)).expect(204);
		// The other server hears of it a moment later.
		await().until(() -> post(devices.getLast(), room, "w" + System.nanoTime()).code().equals("slow-mode"));
		assertThat(post(devices.getFirst(), room, "c").expect(429).code()).isEqualTo("slow-mode");
		both.database().update("DELETE FROM slow_mode_turn WHERE room_id = ?", room);
		CyclicBarrier together = new CyclicBarrier(8);
		List<Future<Integer>> posts = new ArrayList<>();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			for (int i = 0; i < 8; i++) {
				ChatApi device = devices.get(i % 2);
				String clientId = "r" + i;
				posts.add(threads.submit(() -> {
					together.await();
					return post(device, room, clientId).status();
				}));
			}
		}
		List<Integer> statuses = new ArrayList<>();
		for (Future<Integer> one : posts) {
			statuses.add(one.get());
		}
		assertThat(statuses).containsOnly(202, 429).containsOnlyOnce(202);
		both.two().user("anna").put("/api/rooms/" + room + "/slow-mode", Map.of("seconds", 0)).expect(204);
		await().untilAsserted(() -> {
			for (ChatApi device : devices) {
				post(device, room, "e" + System.nanoTime()).expect(202);
				post(device, room, "e" + System.nanoTime()).expect(202);
			}
		});
	}

	private static ChatApi.Answer post(ChatApi api, String room, String clientId) {
		return api.post("/api/rooms/" + room + "/messages", Map.of("clientId", clientId, "text", "text"));
	}

}
