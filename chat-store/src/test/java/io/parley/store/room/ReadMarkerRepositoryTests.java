package io.parley.store.room;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.parley.store.StoreTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@StoreTest
class ReadMarkerRepositoryTests {

	private final ReadMarkerRepository markers;

	ReadMarkerRepositoryTests(ReadMarkerRepository markers) {
		this.markers = markers;
	}

	@Test
	void movesForwardAndNeverBack() {
		this.markers.advance(List.of(new ReadMarker("m1", "anna", 7)));
		this.markers.advance(List.of(new ReadMarker("m1", "anna", 5), new ReadMarker("m1", "bert", 3)));
		assertThat(positions("m1")).isEqualTo(Map.of("anna", 7L, "bert", 3L));
		this.markers.advance(List.of(new ReadMarker("m1", "anna", 9), new ReadMarker("m1", "anna", 8)));
		assertThat(positions("m1")).isEqualTo(Map.of("anna", 9L, "bert", 3L));
	}

	private Map<String, Long> positions(String room) {
		return this.markers.positionsIn(room, List.of("anna", "bert"));
	}

	@Test
	void hasNoMarkerOfAUserWhoHasReadNothing() {
		this.markers.advance(List.of());
		assertThat(positions("m2")).isEmpty();
	}

	@Test
	void listsTheMarkersOfAUser() {
		this.markers.advance(List.of(new ReadMarker("m3", "cleo", 1), new ReadMarker("m4", "cleo", 2)));
		assertThat(this.markers.positions("cleo")).isEqualTo(Map.of("m3", 1L, "m4", 2L));
	}

	@Test
	void keepsTheFurthestOfConcurrentWrites() {
		try (ExecutorService nodes = Executors.newFixedThreadPool(16)) {
			IntStream.range(0, 16)
				.forEach((node) -> nodes.execute(() -> LongStream.rangeClosed(1, 20)
					.forEach((position) -> this.markers
						.advance(List.of(new ReadMarker("m5", "dora", position * 16 + node),
								new ReadMarker("m6", "dora", position))))));
		}
		assertThat(this.markers.positions("dora")).isEqualTo(Map.of("m5", 20L * 16 + 15, "m6", 20L));
	}

}
