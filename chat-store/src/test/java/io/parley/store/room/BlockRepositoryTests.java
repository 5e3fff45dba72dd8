package io.parley.store.room;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import io.parley.store.StoreTest;
import io.parley.store.Threads;
import io.parley.store.account.Account;
import io.parley.store.account.AccountRepository;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@StoreTest
class BlockRepositoryTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.123Z");

	private final BlockRepository blocks;

	private final AccountRepository accounts;

	BlockRepositoryTests(BlockRepository blocks, AccountRepository accounts) {
		this.blocks = blocks;
		this.accounts = accounts;
	}

	@Test
	void listsTheUsersThatAUserHasBlocked() {
		assertThat(this.blocks.add("anna", "cleo", 10, NOW)).isTrue();
		assertThat(this.blocks.add("anna", "bert", 10, NOW)).isTrue();
		assertThat(this.blocks.add("anna", "bert", 10, NOW.plusSeconds(1))).isTrue();
		assertThat(this.blocks.of("anna")).containsExactly(new Block("bert", NOW), new Block("cleo", NOW));
		this.blocks.remove("anna", "cleo");
		this.blocks.remove("anna", "cleo");
		assertThat(this.blocks.of("anna")).containsExactly(new Block("bert", NOW));
		assertThat(this.blocks.of("bert")).isEmpty();
	}

	@Test
	void appliesInBothDirections() {
		this.blocks.add("dora", "emil", 10, NOW);
		assertThat(this.blocks.between("dora", "emil")).isTrue();
		assertThat(this.blocks.between("emil", "dora")).isTrue();
		assertThat(this.blocks.between("dora", "fred")).isFalse();
		assertThat(this.blocks.between("dora", "Emil")).isFalse();
	}

	@Test
	void findsAmongManyTheUsersWhoHaveBlockedAUser() {
		List<String> many = IntStream.range(0, 450).mapToObj((i) -> "many" + i).toList();
		this.blocks.add("many3", "gert", 10, NOW);
		this.blocks.add("many449", "gert", 10, NOW);
		this.blocks.add("gert", "many5", 10, NOW);
		assertThat(this.blocks.blockersAmong(many, "gert")).containsExactlyInAnyOrder("many3", "many449");
		assertThat(this.blocks.blockersAmong(List.of(), "gert")).isEmpty();
	}

	@Test
	void neverExceedsTheLimitUnderConcurrentRequests() {
		this.accounts.save(new Account("blocker", "hash", NOW));
		List<Boolean> added = Threads.atOnce(32, (thread) -> this.blocks.add("blocker", "other" + thread, 5, NOW));
		assertThat(added).filteredOn(Boolean::booleanValue).hasSize(5);
		assertThat(this.blocks.of("blocker")).hasSize(5);
		assertThat(this.blocks.add("blocker", this.blocks.of("blocker").getFirst().username(), 5, NOW)).isTrue();
	}

}
