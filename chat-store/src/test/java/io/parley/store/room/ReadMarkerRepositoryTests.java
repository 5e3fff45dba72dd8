package io.parley.store.room;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.parley.store.StoreTest;
import io.parley.store.UtcTime;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@StoreTest
class ReadMarkerRepositoryTests {

	private final ReadMarkerRepository markers;

	private final JdbcTemplate jdbc;

	ReadMarkerRepositoryTests(ReadMarkerRepository markers, JdbcTemplate jdbc) {
		this.markers = markers;
		this.jdbc = jdbc;
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
		return this.markers.markersIn(room, List.of("anna", "bert"))
			.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, (entry) -> entry.getValue().read()));
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

	@Test
	void keepsDeliveredAndReadApart() {
		this.markers.advanceDelivered(List.of(new ReadMarker("m7", "anna", 5), new ReadMarker("m7", "bert", 9)));
		this.markers.advanceDelivered(List.of(new ReadMarker("m7", "anna", 4)));
		this.markers.advance(List.of(new ReadMarker("m7", "anna", 7)));
		assertThat(this.markers.markersIn("m7", List.of("anna", "bert", "cleo")))
			.isEqualTo(Map.of("anna", new MemberMarkers(7, 5), "bert", new MemberMarkers(0, 9)));
		List<ReadMarker> asked = List.of(new ReadMarker("m7", "anna", 0), new ReadMarker("m7", "bert", 0));
		assertThat(this.markers.storedDelivered(asked)).as("what is read is delivered")
			.containsExactlyInAnyOrder(new ReadMarker("m7", "anna", 7), new ReadMarker("m7", "bert", 9));
		assertThat(this.markers.stored(asked)).contains(new ReadMarker("m7", "bert", 0));
	}

	@Test
	void findsTheMembersWhoHaveRead() {
		join("m8", "anna", "bert", "cleo", "dora", "Emil");
		this.markers.advance(List.of(new ReadMarker("m8", "anna", 10), new ReadMarker("m8", "bert", 9),
				new ReadMarker("m8", "cleo", 11), new ReadMarker("m8", "former", 11),
				new ReadMarker("m9", "fritz", 11)));
		assertThat(this.markers.readers("m8", 10, List.of(), 200)).isEqualTo(new Readers(List.of("anna", "cleo"), 2));
		assertThat(this.markers.readers("m8", 10, List.of("cleo", "dora", "Emil", "former", "stranger"), 200))
			.isEqualTo(new Readers(List.of("Emil", "anna", "cleo", "dora"), 4));
		assertThat(this.markers.readers("m8", 10, List.of("dora"), 2))
			.isEqualTo(new Readers(List.of("anna", "cleo"), 3));
		assertThat(this.markers.readers("m8", 12, List.of(), 200)).isEqualTo(new Readers(List.of(), 0));
	}

	private void join(String room, String... users) {
		for (String user : users) {
			this.jdbc.update("INSERT INTO room_member (room_id, username, joined_at, role) VALUES (?, ?, ?, 'member')",
					room, user, UtcTime.now());
		}
	}

}
