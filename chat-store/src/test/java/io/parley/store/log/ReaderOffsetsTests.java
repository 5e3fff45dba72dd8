package io.parley.store.log;

import java.util.List;

import io.parley.store.StoreTest;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@StoreTest
class ReaderOffsetsTests {

	private final ReaderOffsets offsets;

	private final TransactionTemplate transaction;

	ReaderOffsetsTests(ReaderOffsets offsets, PlatformTransactionManager transactionManager) {
		this.offsets = offsets;
		this.transaction = new TransactionTemplate(transactionManager);
	}

	@Test
	void remembersTheOffset() {
		assertThat(this.offsets.next("first", 0, 1)).isZero();
		this.offsets.commit("first", 0, 1, 5);
		this.offsets.commit("first", 0, 1, 9);
		assertThat(this.offsets.next("first", 0, 1)).isEqualTo(9);
		assertThat(this.offsets.next("first", 1, 1)).isZero();
	}

	@Test
	void beginsAgainInANewEpoch() {
		this.offsets.commit("second", 0, 1, 5);
		assertThat(this.offsets.next("second", 0, 2)).isZero();
		this.offsets.commit("second", 0, 2, 1);
		assertThat(this.offsets.next("second", 0, 2)).isEqualTo(1);
	}

	@Test
	void refusesAReaderOfAnOlderEpoch() {
		this.offsets.commit("third", 0, 2, 5);
		assertThatExceptionOfType(NewerEpochException.class).isThrownBy(() -> this.offsets.next("third", 0, 1))
			.withMessageContaining("Restart this process");
		assertThatExceptionOfType(DataIntegrityViolationException.class)
			.isThrownBy(() -> this.offsets.commit("third", 0, 1, 6));
	}

	@Test
	void findsTheLowestOffsetOfSeveralReaders() {
		this.offsets.commit("slow", 0, 1, 3);
		this.offsets.commit("fast", 0, 1, 8);
		assertThat(this.offsets.lowest(0, 1, List.of("slow", "fast"))).isEqualTo(3);
		assertThat(this.offsets.lowest(0, 1, List.of("slow", "fast", "fresh"))).isZero();
	}

	@Test
	void rollsTheOffsetBackWithTheTransactionOfTheCaller() {
		this.offsets.commit("fourth", 0, 1, 3);
		this.transaction.executeWithoutResult((status) -> {
			this.offsets.commit("fourth", 0, 1, 4);
			status.setRollbackOnly();
		});
		assertThat(this.offsets.next("fourth", 0, 1)).isEqualTo(3);
	}

}
