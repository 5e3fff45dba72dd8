package io.parley.store.event;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.parley.events.MessageState;
import io.parley.events.Reaction;
import io.parley.store.StoreTest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests what is read of the reactions to two messages. */
@StoreTest
class ReactionRepositoryTests {

	private static final String THUMB = "\ud83d\udc4d";

	private static final String DARK_THUMB = "\ud83d\udc4d\ud83c\udfff";

	private static final RoomPosition TEN = new RoomPosition("r", 10);

	private static final RoomPosition TWENTY = new RoomPosition("r", 20);

	private final ReactionRepository reactions;

	private final MessageStateRepository states;

	private final JdbcTemplate jdbc;

	ReactionRepositoryTests(ReactionRepository reactions, MessageStateRepository states, JdbcTemplate jdbc) {
		this.reactions = reactions;
		this.states = states;
		this.jdbc = jdbc;
	}

	@BeforeEach
	void store() {
		this.jdbc.update("DELETE FROM reaction");
		this.jdbc.update("DELETE FROM message_state");
		IntStream.range(0, 30).forEach((i) -> insert(10, THUMB, "user" + (10 + i)));
		insert(10, DARK_THUMB, "anna");
		insert(20, ":a:", "anna");
	}

	@Test
	void findsWhatIsGiven() {
		Reaction anna = new Reaction("anna", DARK_THUMB);
		Reaction ten = new Reaction("user10", THUMB);
		assertThat(this.reactions
			.given(Map.of(TEN, Set.of(anna, ten, new Reaction("Anna", DARK_THUMB), new Reaction("anna", THUMB)), TWENTY,
					Set.of(anna, new Reaction("anna", ":A:")), new RoomPosition("other", 10), Set.of(anna))))
			.isEqualTo(Map.of(TEN, Set.of(anna, ten)));
		assertThat(this.reactions.given(Map.of())).isEmpty();
	}

	@Test
	void findsManyAtOnce() {
		Set<Reaction> many = new HashSet<>();
		IntStream.range(0, 1_000).forEach((i) -> many.add(new Reaction("user" + i, THUMB)));
		assertThat(this.reactions.given(Map.of(TEN, many)).get(TEN)).hasSize(30);
	}

	@Test
	void findsTheFirstUsersOfEachKey() {
		Map<RoomPosition, Set<Reaction>> first = this.reactions
			.firstUsers(Map.of(TEN, List.of(THUMB, DARK_THUMB, ":none:"), TWENTY, List.of(":a:")), 10);
		assertThat(first.get(TWENTY)).containsExactly(new Reaction("anna", ":a:"));
		assertThat(first.get(TEN)).hasSize(11)
			.contains(new Reaction("anna", DARK_THUMB), new Reaction("user10", THUMB), new Reaction("user19", THUMB));
	}

	@Test
	void statesHaveTheirCounts() {
		MessageState state = new MessageState(40, null, 0, false, 0, 40, Map.of(THUMB, 30, DARK_THUMB, 1));
		this.jdbc.update("""
				INSERT INTO message_state (room_id, target, changed, edits, deleted, reacted, counts)
				VALUES ('r', 10, 40, 0, FALSE, 40, ?)""", state.countsJson());
		assertThat(this.states.of("r", List.of(10L))).isEqualTo(Map.of(10L, state));
	}

	private void insert(long target, String key, String user) {
		this.jdbc.update("INSERT INTO reaction (room_id, target, reaction_key, username) VALUES ('r', ?, ?, ?)", target,
				key, user);
	}

}
