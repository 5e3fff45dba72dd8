package io.parley.persistence;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.parley.events.Positions;
import io.parley.events.Reaction;
import io.parley.store.Threads;
import io.parley.store.event.RoomPosition;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.TestConstructor;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** Partitions are stored at the same time, and must not wait for each other. */
@SpringBootTest(classes = WorkerApplication.class, properties = "spring.datasource.url=jdbc:h2:mem:persistence")
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
class EventTablesTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

	private static final List<String> USERS = IntStream.range(0, 150).mapToObj((i) -> "user" + i).toList();

	private final RoomPosition message = new RoomPosition(PersistenceFixture.room(), 1);

	/** Of a room of another partition. */
	private final RoomPosition other = new RoomPosition(PersistenceFixture.room(), 1);

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	private final EventTables tables;

	EventTablesTests(JdbcTemplate jdbc, PlatformTransactionManager transactions) {
		this.jdbc = jdbc;
		this.transaction = new TransactionTemplate(transactions);
		this.tables = new EventTables(jdbc);
	}

	@Test
	void reactionsAreRemovedWhileAnotherPartitionRemovesSome() {
		List<Reaction> reactions = USERS.stream().map((user) -> new Reaction(user, "like")).toList();
		this.tables.addReactions(this.message, reactions);
		this.tables.addReactions(this.other, reactions.subList(0, 1));
		this.transaction.executeWithoutResult((status) -> {
			this.tables.removeReactions(this.other, List.of(reactions.getFirst()));
			Threads.runElsewhere(() -> this.tables.removeReactions(this.message, reactions));
		});
		assertThat(rows("reaction")).isZero();
	}

	@Test
	void mentionsAreRemovedWhileAnotherPartitionRemovesSome() {
		this.tables.mentions().insert(USERS.stream().map((user) -> mention(this.message, user)).toList());
		this.tables.mentions().insert(List.of(mention(this.other, USERS.getFirst())));
		this.transaction.executeWithoutResult((status) -> {
			this.tables.mentions().delete(Map.of(this.other, Set.of(USERS.getFirst())));
			Threads.runElsewhere(() -> this.tables.mentions().deleteAll(List.of(this.message)));
		});
		assertThat(rows("mention")).isZero();
	}

	private static MentionTable.Row mention(RoomPosition message, String user) {
		return new MentionTable.Row(message, user, Positions.NONE, "anna", NOW);
	}

	private Integer rows(String table) {
		return this.jdbc.queryForObject("SELECT COUNT(*) FROM " + table + " WHERE room_id IN (?, ?)", Integer.class,
				this.message.room(), this.other.room());
	}

}
