package io.parley.server.room;

import java.util.List;
import java.util.Optional;

import io.parley.server.database.Databases;
import io.parley.server.error.StoreFailures;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.RoomRole;
import io.parley.store.room.RoomStanding;
import io.parley.store.room.Standing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mockito.ArgumentMatchers;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Loads all rooms of a user while they change. */
@Timeout(60)
class MemberCacheTests {

	private static final Standing MEMBER = new Standing("anna", RoomRole.MEMBER, null, 0, false);

	private final MemberRepository stored = Mockito.mock(MemberRepository.class);

	private final MemberCache members = new MemberCache(Databases.of(new DriverManagerDataSource("jdbc:h2:mem:unused")),
			this.stored);

	private void givenRooms(String... rooms) {
		BDDMockito.given(this.stored.standingsOf(ArgumentMatchers.eq("anna"), ArgumentMatchers.any()))
			.willReturn(standings(rooms));
	}

	private static List<RoomStanding> standings(String... rooms) {
		return List.of(rooms).stream().map((room) -> new RoomStanding(room, MEMBER)).toList();
	}

	@Test
	void queriesAllRoomsOnce() {
		givenRooms("one", "two");
		assertThat(this.members.load("one", "anna")).containsExactly("one", "two");
		assertThat(this.members.standing("one", "anna")).isEqualTo(MEMBER);
		assertThat(this.members.standing("two", "anna")).isEqualTo(MEMBER);
		assertThat(this.members.load("two", "anna")).isEmpty();
		Mockito.verify(this.stored).standingsOf(ArgumentMatchers.eq("anna"), ArgumentMatchers.any());
		Mockito.verifyNoMoreInteractions(this.stored);
	}

	/** A room that is not among them may be joined a moment later. */
	@Test
	void keepsNothingAboutOtherRooms() {
		givenRooms("one");
		this.members.load("one", "anna");
		assertThat(this.members.load("new", "anna")).as("loaded a moment ago").isEmpty();
		BDDMockito.given(this.stored.standingOf("new", "anna")).willReturn(Optional.of(MEMBER));
		assertThat(this.members.standing("new", "anna")).isEqualTo(MEMBER);
	}

	@Test
	void queriesAgainWhatChangedSince() {
		givenRooms("one", "two");
		this.members.load("one", "anna");
		this.members.forget("one", "anna");
		assertThat(this.members.standing("one", "anna")).isNull();
		assertThat(this.members.standing("two", "anna")).isEqualTo(MEMBER);
	}

	/** The answer of the database is older than the removal. */
	@Test
	void ignoresWhatChangedDuringTheQuery() {
		BDDMockito.given(this.stored.standingsOf(ArgumentMatchers.eq("anna"), ArgumentMatchers.any())).will((call) -> {
			this.members.forget("one", "anna");
			return standings("one", "two");
		});
		this.members.load("one", "anna");
		assertThat(this.members.standing("one", "anna")).isNull();
		assertThat(this.members.standing("two", "anna")).isEqualTo(MEMBER);
		Mockito.verify(this.stored).standingOf("one", "anna");
		Mockito.verify(this.stored, Mockito.never()).standingOf("two", "anna");
	}

	@Test
	void ignoresTheDatabaseWhileItIsUnavailable() {
		BDDMockito.given(this.stored.standingsOf(ArgumentMatchers.eq("anna"), ArgumentMatchers.any()))
			.willThrow(StoreFailures.unavailable());
		assertThat(this.members.load("one", "anna")).isEmpty();
	}

}
