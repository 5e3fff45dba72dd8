package io.parley.loadtest.study.contention;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;

import io.parley.loadtest.local.KitProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Users who compete for few places over real HTTP, with correct and faulty ways of
 * joining.
 */
@Tag("slow")
class RushTests {

	private static final int USERS = 40;

	private static final int PLACES = 15;

	@ParameterizedTest
	@EnumSource(value = Way.class, names = { "MUTEX", "SEMAPHORE", "PESSIMISTIC" })
	void letsInAsManyAsThereArePlaces(Way way) throws Exception {
		Rush rush = rush((rooms) -> JoinServerCommand.joining(way, rooms));
		assertThat(rush.wrong()).isEmpty();
		assertThat(rush.errors()).isEmpty();
		assertThat(rush.joined()).isEqualTo(PLACES);
		assertThat(rush.full()).isEqualTo(USERS - PLACES);
		assertThat(rush.millis()).hasSize(USERS).isSorted();
	}

	@Test
	void letsInAsManyAsThereArePlacesByKafka(@TempDir Path folder) throws Exception {
		try (KafkaBroker broker = new KafkaBroker(folder)) {
			Rush rush = rush((rooms) -> new KafkaJoining(rooms, broker.address()));
			assertThat(rush.wrong()).isEmpty();
			assertThat(rush.errors()).isEmpty();
			assertThat(rush.joined()).isEqualTo(PLACES);
		}
	}

	@Test
	void neverLetsInTooManyBySerializableThoughItMayFail() throws Exception {
		Rush rush = rush(Joining::serializable);
		assertThat(rush.wrong()).isEmpty();
		assertThat(rush.joined()).isLessThanOrEqualTo(PLACES);
		assertThat(rush.joined() + rush.full() + rush.failed()).isEqualTo(USERS);
	}

	@Test
	void noticesMoreMembersThanPlaces() throws Exception {
		Rush rush = rush((rooms) -> (room, user) -> {
			rooms.enter(room, user);
			return true;
		});
		assertThat(rush.wrong()).contains(USERS + " members in " + PLACES + " places");
	}

	@Test
	void noticesALostJoin() throws Exception {
		Rush rush = rush((rooms) -> (room, user) -> {
			if (!user.equals("7")) {
				rooms.enter(room, user);
			}
			return true;
		});
		assertThat(rush.wrong()).contains("1 joins lost");
	}

	@Test
	void noticesAPlaceThatNobodyGot() throws Exception {
		Rush rush = rush((rooms) -> (room, user) -> false);
		assertThat(rush.wrong()).containsExactly("answered \"full\" with 0 members in 15 places");
	}

	@Test
	void noticesAMemberWhoWasToldOtherwise() throws Exception {
		Rush rush = rush((rooms) -> (room, user) -> {
			rooms.enter(room, user);
			return !user.equals("7");
		});
		assertThat(rush.wrong()).contains("1 members without a successful answer");
	}

	@Test
	void countsOtherAnswersAsErrors() throws Exception {
		Rush rush = rush((rooms) -> (room, user) -> {
			throw new IllegalStateException("broken");
		});
		assertThat(rush.errors()).containsEntry("503 broken", USERS);
		assertThat(rush.failed()).isEqualTo(USERS);
	}

	/**
	 * Creates a way of joining.
	 */
	@FunctionalInterface
	private interface Making {

		Joining make(RoomTable rooms) throws Exception;

	}

	private static Rush rush(Making making) throws Exception {
		int port = KitProcess.freePort();
		String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
		try (RoomTable rooms = new RoomTable(url, "sa", "");
				Connection connection = DriverManager.getConnection(url, "sa", "");
				Statement statement = connection.createStatement();
				Joining joining = making.make(rooms);
				JoinServer server = new JoinServer(port, rooms, joining);
				Arena arena = new JoinServerArena(port, () -> {
				})) {
			statement.execute("CREATE TRIGGER pause BEFORE INSERT ON contention_member FOR EACH ROW CALL '"
					+ PauseBeforeInsert.class.getName() + "'");
			return Rush.at(arena, USERS, PLACES, Duration.ofMillis(20));
		}
	}

}
