package io.parley.log;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Checks of every {@link SignalBus} of a log that several processes share. */
final class SignalChecks {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private SignalChecks() {
	}

	/** Checks signals between two processes that have opened the same log. */
	static void reachTheOthersInOrder(RoomLog one, RoomLog other) {
		List<String> heardByOne = new CopyOnWriteArrayList<>();
		List<String> heardByOther = new CopyOnWriteArrayList<>();
		one.signals().listen((signal) -> heardByOne.add(text(signal)));
		other.signals().listen((signal) -> heardByOther.add(text(signal)));
		await().atMost(PATIENCE).until(() -> isHeard(one, "one is there", heardByOther));
		await().atMost(PATIENCE).until(() -> isHeard(other, "other is there", heardByOne));
		for (int i = 100; i < 300; i++) {
			one.signals().publish(bytes("signal " + i));
		}
		await().atMost(PATIENCE).until(() -> heardByOther.contains("signal 299"));
		assertThat(heardByOther).filteredOn((signal) -> signal.startsWith("signal")).isSorted().hasSize(200);
		assertThat(heardByOne).containsOnly("other is there");
	}

	private static boolean isHeard(RoomLog log, String signal, List<String> heard) {
		log.signals().publish(bytes(signal));
		return heard.contains(signal);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static String text(byte[] bytes) {
		return new String(bytes, StandardCharsets.UTF_8);
	}

}
