package io.parley.store.room;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import io.parley.store.StoreTest;
import jakarta.persistence.EntityManagerFactory;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.Test;

import org.springframework.data.domain.Limit;

import static org.assertj.core.api.Assertions.assertThat;

@StoreTest
class LargeRoomTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

	private final MemberRepository members;

	private final Statistics statistics;

	LargeRoomTests(MemberRepository members, EntityManagerFactory factory) {
		this.members = members;
		this.statistics = factory.unwrap(SessionFactory.class).getStatistics();
	}

	@Test
	void storesAndRemovesItsMembersWithFewStatements() {
		List<Member> all = IntStream.range(0, 1_001)
			.mapToObj((i) -> new Member("large", "user" + i, RoomRole.MEMBER, NOW))
			.toList();
		this.statistics.setStatisticsEnabled(true);
		this.statistics.clear();
		this.members.saveAll(all);
		assertThat(this.statistics.getPrepareStatementCount()).isBetween(1L, 10L);
		assertThat(this.members.usernamesOf("large", "", Limit.of(2_000))).hasSize(1_001);
		assertThat(this.members.removeAll("large")).isEqualTo(1_001);
		this.statistics.setStatisticsEnabled(false);
	}

}
