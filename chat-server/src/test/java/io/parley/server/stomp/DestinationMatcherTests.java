package io.parley.server.stomp;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DestinationMatcherTests {

	private static final String PATTERN = "rooms.{room}.send";

	private final DestinationMatcher matcher = new DestinationMatcher();

	@Test
	void splitsADestinationOnce() {
		String[] parts = this.matcher.tokenizePath("rooms.lobby.send");
		assertThat(parts).containsExactly("rooms", "lobby", "send");
		assertThat(this.matcher.tokenizePath(new String("rooms.lobby.send"))).isSameAs(parts);
	}

	@Test
	void matchesTheDestinationThatItIsAskedFor() {
		assertThat(this.matcher.match(PATTERN, "rooms.lobby.send")).isTrue();
		assertThat(this.matcher.match(PATTERN, "rooms.lobby.edit")).isFalse();
		assertThat(this.matcher.match(PATTERN, "")).isFalse();
		assertThat(this.matcher.match(PATTERN, "rooms.lobby.send.more")).isFalse();
		assertThat(this.matcher.extractUriTemplateVariables(PATTERN, "rooms.kitchen.send"))
			.isEqualTo(Map.of("room", "kitchen"));
	}

	@Test
	void keepsTheDestinationsOfManyThreadsApart() throws Exception {
		try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
			List<Callable<Long>> rooms = IntStream.range(0, 4).mapToObj(this::countWrongRooms).toList();
			for (var wrong : threads.invokeAll(rooms)) {
				assertThat(wrong.get()).isZero();
			}
		}
	}

	private Callable<Long> countWrongRooms(int thread) {
		String room = "room-" + thread;
		return () -> IntStream.range(0, 20_000)
			.filter((i) -> !this.matcher.extractUriTemplateVariables(PATTERN, "rooms." + room + ".send")
				.equals(Map.of("room", room)))
			.count();
	}

}
