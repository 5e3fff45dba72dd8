package io.parley.server.room;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.parley.server.database.Databases;
import io.parley.server.error.StoreFailures;
import io.parley.store.room.MemberMarkers;
import io.parley.store.room.ReadMarker;
import io.parley.store.room.ReadMarkerRepository;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.mockito.ArgumentMatchers;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Counts how often read markers access the store. */
class ReadPositionsTests {

	private static final List<ReadMarker> STORED = List.of(new ReadMarker("room", "anna", 10));

	private final ReadMarkerRepository stored = Mockito.mock(ReadMarkerRepository.class);

	private final ReadPositions positions = new ReadPositions(this.stored,
			Databases.of(new DriverManagerDataSource("jdbc:h2:mem:unused")));

	ReadPositionsTests() {
		BDDMockito.given(this.stored.stored(ArgumentMatchers.any())).willReturn(STORED);
	}

	/** Returns the positions to which the marker has moved. */
	private List<Long> move(long position) {
		this.positions.read("room", "anna", position);
		return this.positions.moveWaiting().stream().map(ReadMarker::position).toList();
	}

	private long position() {
		return this.positions.current(List.of(new ReadMarker("room", "anna", 0))).getFirst().position();
	}

	@Test
	void accessTheStoreOnceForAUserWhoReads() {
		assertThat(this.positions.isKnown("room", "anna", 10)).as("not known yet").isFalse();
		assertThat(move(10)).isEmpty();
		for (long position = 11; position < 100; position++) {
			assertThat(move(position)).containsExactly(position);
			assertThat(move(position)).isEmpty();
			assertThat(this.positions.isKnown("room", "anna", position)).isTrue();
			assertThat(this.positions.isKnown("room", "anna", position + 1)).isFalse();
		}
		Mockito.verify(this.stored).stored(ArgumentMatchers.any());
		Mockito.verifyNoMoreInteractions(this.stored);
	}

	@Test
	void accessTheStoreOnceForManyUsers() {
		for (int user = 0; user < 500; user++) {
			this.positions.read("room", "user" + user, 1);
			this.positions.read("room", "user" + user, 2);
		}
		Mockito.verifyNoInteractions(this.stored);
		assertThat(this.positions.moveWaiting()).hasSize(500).allMatch((marker) -> marker.position() == 2);
		assertThat(this.positions.hasWaiting()).isFalse();
		Mockito.verify(this.stored).stored(ArgumentMatchers.any());
		this.positions.write();
		Mockito.verify(this.stored).advance(ArgumentMatchers.any());
	}

	@Test
	void areMovedInTheOrderInWhichTheyCame() {
		List<String> users = IntStream.range(0, 100).mapToObj((i) -> "user" + i).toList();
		users.forEach((user) -> this.positions.read("room", user, 1));
		users.reversed().forEach((user) -> this.positions.read("room", user, 2));
		assertThat(this.positions.moveWaiting()).extracting(ReadMarker::username)
			.containsExactlyElementsOf(users.reversed());
	}

	@Test
	void areFoundBeforeTheyAreMoved() {
		this.positions.read("room", "anna", 20);
		assertThat(this.positions.isKnown("room", "anna", 20)).isTrue();
		assertThat(position()).isEqualTo(20);
		assertThat(this.positions.positions("anna")).containsEntry("room", 20L);
		assertThat(this.positions.markersIn("room", List.of("anna", "bert")))
			.isEqualTo(Map.of("anna", new MemberMarkers(20, 0)));
	}

	@Test
	void doNotWaitForTheStoreWhenTheUserPosts() {
		this.positions.advance("room", "anna", 20);
		Mockito.verifyNoInteractions(this.stored);
		assertThat(move(20)).isEmpty();
		this.positions.advance("room", "anna", 30);
		assertThat(this.positions.isKnown("room", "anna", 30)).isTrue();
		this.positions.write();
		Mockito.verify(this.stored).advance(List.of(new ReadMarker("room", "anna", 30)));
	}

	@Test
	void moveWhileTheDatabaseIsUnavailable() {
		BDDMockito.given(this.stored.stored(ArgumentMatchers.any())).willThrow(StoreFailures.unavailable());
		assertThat(move(20)).containsExactly(20L);
		assertThat(move(20)).isEmpty();
		assertThat(move(30)).containsExactly(30L);
	}

	@Test
	void areAllWrittenWhenTheServerStops() {
		for (int user = 0; user < 2_500; user++) {
			this.positions.read("room", "user" + user, 1);
		}
		this.positions.writeAll();
		ArgumentCaptor<Collection<ReadMarker>> written = ArgumentCaptor.captor();
		Mockito.verify(this.stored).advance(written.capture());
		assertThat(written.getValue()).hasSize(2_500);
	}

	@Test
	void areWrittenAgainAfterAFailure() {
		move(20);
		BDDMockito.willThrow(StoreFailures.unavailable()).given(this.stored).advance(ArgumentMatchers.any());
		this.positions.write();
		assertThat(position()).isEqualTo(20);
		BDDMockito.willDoNothing().given(this.stored).advance(ArgumentMatchers.any());
		this.positions.write();
		this.positions.write();
		Mockito.verify(this.stored, Mockito.times(2)).advance(List.of(new ReadMarker("room", "anna", 20)));
	}

	/** The store answers with what it had before the markers were written. */
	@Test
	void doNotMoveBackWhileTheyAreWritten() {
		BDDMockito.given(this.stored.stored(ArgumentMatchers.any())).will((call) -> {
			this.positions.write();
			return STORED;
		});
		BDDMockito.given(this.stored.positions("anna")).will((call) -> answerAfterWriting(Map.of("room", 10L)));
		BDDMockito.given(this.stored.markersIn("room", List.of("anna")))
			.will((call) -> answerAfterWriting(Map.of("anna", new MemberMarkers(10, 30))));
		this.positions.advance("room", "anna", 20);
		assertThat(position()).isEqualTo(20);
		this.positions.read("room", "anna", 30);
		assertThat(this.positions.positions("anna")).containsEntry("room", 30L);
		this.positions.advance("room", "anna", 40);
		assertThat(this.positions.markersIn("room", List.of("anna"))).containsEntry("anna", new MemberMarkers(40, 30));
	}

	private <T> T answerAfterWriting(T answer) {
		this.positions.writeAll();
		return answer;
	}

	@Test
	void areReportedOnceForConcurrentEqualUpdates() throws Exception {
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			List<Future<List<ReadMarker>>> all = new ArrayList<>();
			for (int i = 0; i < 50; i++) {
				all.add(threads.submit(() -> {
					this.positions.read("room", "anna", 50);
					return this.positions.moveWaiting();
				}));
			}
			int moved = 0;
			for (Future<List<ReadMarker>> one : all) {
				moved += one.get().size();
			}
			assertThat(moved).isEqualTo(1);
		}
	}

}
