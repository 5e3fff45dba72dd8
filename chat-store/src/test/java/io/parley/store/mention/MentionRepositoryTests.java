package io.parley.store.mention;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.parley.store.StoreTest;
import io.parley.store.UtcTime;
import io.parley.store.event.RoomPosition;
import io.parley.store.mention.MentionRepository.Range;
import io.parley.store.room.ReadMarker;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests what is read of mentions: anna is mentioned in room a at 10, 20 (with the whole
 * room), 30 (in a thread) and 50, and in room b at 15; she mentions room a at 40.
 */
@StoreTest
class MentionRepositoryTests {

	private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

	private final MentionRepository mentions;

	private final JdbcTemplate jdbc;

	MentionRepositoryTests(MentionRepository mentions, JdbcTemplate jdbc) {
		this.mentions = mentions;
		this.jdbc = jdbc;
	}

	@BeforeEach
	void store() {
		this.jdbc.update("DELETE FROM mention");
		insert("anna", "a", 10, 0, "bert", 10);
		insert("Anna", "a", 11, 0, "bert", 11);
		insert(MentionRepository.ROOM, "a", 20, 0, "bert", 20);
		insert("anna", "a", 30, 5, "bert", 30);
		insert(MentionRepository.ROOM, "a", 40, 0, "anna", 40);
		insert("anna", "a", 50, 0, "bert", 15);
		insert("anna", "b", 15, 0, "bert", 15);
		insert("bert", "b", 16, 0, "anna", 16);
	}

	private void insert(String username, String room, long position, long thread, String sender, int at) {
		this.jdbc.update(
				"INSERT INTO mention (username, room_id, position, thread, sender, mentioned_at) VALUES (?, ?, ?, ?, ?, ?)",
				username, room, position, thread, sender, UtcTime.of(NOW.plusSeconds(at)));
	}

	@Test
	void countsAfterMarkers() {
		ReadMarker start = new ReadMarker("a", "anna", 0);
		ReadMarker ten = new ReadMarker("a", "anna", 10);
		ReadMarker bert = new ReadMarker("a", "bert", 0);
		ReadMarker other = new ReadMarker("b", "anna", 0);
		assertThat(this.mentions.count(List.of(new Range(start, 49, Set.of()), new Range(ten, 50, Set.of()),
				new Range(bert, 50, Set.of()), new Range(other, 50, Set.of(15L, 16L)))))
			.isEqualTo(Map.of(start, 2L, ten, 2L, bert, 1L, other, 0L));
		assertThat(this.mentions.count(List.of(new Range(start, 50, Set.of(20L, 7L))))).isEqualTo(Map.of(start, 2L));
		assertThat(this.mentions.count(List.of())).isEmpty();
	}

	@Test
	void countsForManyUsersAtOnce() {
		List<Range> ranges = IntStream.range(0, 450)
			.mapToObj((i) -> new Range(new ReadMarker("a", "user" + i, i % 30), 50, Set.of()))
			.toList();
		Map<ReadMarker, Long> counts = this.mentions.count(ranges);
		assertThat(counts).hasSize(450);
		counts.forEach((marker, count) -> assertThat(count).isEqualTo((marker.position() < 20) ? 2 : 1));
	}

	@Test
	void listsTheNewestFirst() {
		List<UserMention> all = this.mentions.newest("anna", List.of("a", "b"), null, 10);
		assertThat(all).containsExactly(mention("a", 30, 30), mention("a", 20, 20), mention("b", 15, 15),
				mention("a", 50, 15), mention("a", 10, 10));
		assertThat(this.mentions.newest("anna", List.of("b"), null, 10)).containsExactly(mention("b", 15, 15));
		assertThat(this.mentions.newest("anna", List.of(), null, 10)).isEmpty();
		assertThat(this.mentions.newest("bert", List.of("a", "b"), null, 10)).containsExactly(mention("a", 40, 40),
				mention("b", 16, 16));
		for (int limit = 1; limit < 5; limit++) {
			List<UserMention> paged = new ArrayList<>(this.mentions.newest("anna", List.of("a", "b"), null, limit));
			List<UserMention> page = paged;
			while (!page.isEmpty()) {
				assertThat(page.size()).isLessThanOrEqualTo(limit + paged.size());
				page = this.mentions.newest("anna", List.of("a", "b"), paged.getLast(), limit);
				paged.addAll(page);
			}
			assertThat(paged).isEqualTo(all);
		}
	}

	@Test
	void listsThoseOfManyRooms() {
		List<String> rooms = IntStream.range(0, 450).mapToObj((i) -> "room" + i).toList();
		rooms.forEach((room) -> insert("anna", room, 7, 0, "bert", 100 + Integer.parseInt(room.substring(4))));
		assertThat(this.mentions.newest("anna", rooms, null, 3)).containsExactly(mention("room449", 7, 549),
				mention("room448", 7, 548), mention("room447", 7, 547));
	}

	private static UserMention mention(String room, long position, int at) {
		return new UserMention(new RoomPosition(room, position), NOW.plusSeconds(at));
	}

}
