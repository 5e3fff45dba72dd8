package io.parley.server.room;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import io.parley.server.database.Database;
import io.parley.store.room.ReadMarker;
import io.parley.store.room.ReadMarkerRepository;
import org.junit.jupiter.api.Test;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Counts how often read markers access the store. */
class ReadPositionsTests {

	private final ReadMarkerRepository stored = Mockito.mock(ReadMarkerRepository.class);

	private final ReadPositions positions = new ReadPositions(this.stored,
			new Database(new DriverManagerDataSource("jdbc:h2:mem:unused")));

	ReadPositionsTests() {
		BDDMockito.given(this.stored.position("room", "anna")).willReturn(10L);
	}

	@Test
	void accessTheStoreOnceForAUserWhoReads() {
		assertThat(this.positions.isKnown("room", "anna", 10)).as("not known yet").isFalse();
		assertThat(this.positions.move("room", "anna", 10)).isFalse();
		for (long position = 11; position < 100; position++) {
			assertThat(this.positions.move("room", "anna", position)).isTrue();
			assertThat(this.positions.move("room", "anna", position)).isFalse();
			assertThat(this.positions.isKnown("room", "anna", position)).isTrue();
			assertThat(this.positions.isKnown("room", "anna", position + 1)).isFalse();
		}
		Mockito.verify(this.stored).position("room", "anna");
		Mockito.verifyNoMoreInteractions(this.stored);
	}

	@Test
	void doNotWaitForTheStoreWhenTheUserPosts() {
		this.positions.advance("room", "anna", 20);
		Mockito.verifyNoInteractions(this.stored);
		assertThat(this.positions.move("room", "anna", 20)).isFalse();
		this.positions.advance("room", "anna", 30);
		assertThat(this.positions.isKnown("room", "anna", 30)).isTrue();
		this.positions.write();
		Mockito.verify(this.stored).advance(List.of(new ReadMarker("room", "anna", 30)));
	}

	/** The store answers with what it had before the markers were written. */
	@Test
	void doNotMoveBackWhileTheyAreWritten() {
		BDDMockito.given(this.stored.position("room", "anna")).will((call) -> answerAfterWriting(10L));
		BDDMockito.given(this.stored.positions("anna")).will((call) -> answerAfterWriting(Map.of("room", 10L)));
		BDDMockito.given(this.stored.positionsIn("room", List.of("anna")))
			.will((call) -> answerAfterWriting(Map.of("anna", 10L)));
		this.positions.advance("room", "anna", 20);
		assertThat(this.positions.position("room", "anna")).isEqualTo(20);
		this.positions.advance("room", "anna", 30);
		assertThat(this.positions.positions("anna")).containsEntry("room", 30L);
		this.positions.advance("room", "anna", 40);
		assertThat(this.positions.positionsIn("room", List.of("anna"))).containsEntry("anna", 40L);
	}

	private <T> T answerAfterWriting(T answer) {
		this.positions.write();
		return answer;
	}

	@Test
	void areWrittenOnceForConcurrentEqualUpdates() throws Exception {
		AtomicInteger moved = new AtomicInteger();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			List<Future<?>> all = new ArrayList<>();
			for (int i = 0; i < 50; i++) {
				all.add(threads.submit(() -> {
					if (this.positions.move("room", "anna", 50)) {
						moved.incrementAndGet();
					}
				}));
			}
			for (Future<?> one : all) {
				one.get();
			}
		}
		assertThat(moved).hasValue(1);
	}

}
