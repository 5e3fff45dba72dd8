package io.parley.store.room;

import java.time.Instant;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RoomTests {

	@Test
	void isFullWhenItsCapacityIsReached() {
		assertThat(room(2, 1).isFull()).isFalse();
		assertThat(room(2, 2).isFull()).isTrue();
		assertThat(room(2, 3).isFull()).isTrue();
	}

	@Test
	void isNeverFullWithoutACapacity() {
		assertThat(room(null, 1_000_000).isFull()).isFalse();
	}

	private static Room room(@Nullable Integer capacity, int memberCount) {
		return new Room("room", "The room", RoomKind.GROUP, capacity, memberCount, null, "anna", Instant.EPOCH, true);
	}

}
