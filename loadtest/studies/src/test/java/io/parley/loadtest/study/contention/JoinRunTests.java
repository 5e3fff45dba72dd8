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
class JoinRunTests {

	private static final int USERS = 40;

	private static final int PLACES = 15;

	@ParameterizedTest
	@EnumSource(value = JoinStrategy.class, names = { "MUTEX", "SEMAPHORE", "PESSIMISTIC" })
	void letsInAsManyAsThereArePlaces(JoinStrategy strategy) throws Exception {
		JoinRun run = run((rooms) -> Joiner.of(strategy, rooms, Path.of("")));
		assertThat(run.wrong()).isEmpty();
		assertThat(run.errors()).isEmpty();
		assertThat(run.joined()).isEqualTo(PLACES);
		assertThat(run.full()).isEqualTo(USERS - PLACES);
		assertThat(run.millis()).hasSize(USERS).isSorted();
	}

	@Test
	void letsInAsManyAsThereArePlacesByKafka(@TempDir Path folder) throws Exception {
		JoinRun run = run((rooms) -> Joiner.of(JoinStrategy.KAFKA, rooms, folder));
		assertThat(run.wrong()).isEmpty();
		assertThat(run.errors()).isEmpty();
		assertThat(run.joined()).isEqualTo(PLACES);
	}

	@Test
	void neverLetsInTooManyBySerializableThoughItMayFail() throws Exception {
		JoinRun run = run((rooms) -> Joiner.of(JoinStrategy.SERIALIZABLE, rooms, Path.of("")));
		assertThat(run.wrong()).isEmpty();
		assertThat(run.joined()).isLessThanOrEqualTo(PLACES);
		assertThat(run.joined() + run.full() + run.failed()).isEqualTo(USERS);
	}

	@Test
	void noticesMoreMembersThanPlaces() throws Exception {
		JoinRun run = run((rooms) -> (room, user) -> {
			rooms.enter(room, user);
			return true;
		});
		assertThat(run.wrong()).contains(USERS + " members in " + PLACES + " places");
	}

	@Test
	void noticesALostJoin() throws Exception {
		JoinRun run = run((rooms) -> (room, user) -> {
			if (!user.equals("7")) {
				rooms.enter(room, user);
			}
			return true;
		});
		assertThat(run.wrong()).contains("1 joins lost");
	}

	@Test
	void noticesAPlaceThatNobodyGot() throws Exception {
		JoinRun run = run((rooms) -> (room, user) -> false);
		assertThat(run.wrong()).containsExactly("answered \"full\" with 0 members in 15 places");
	}

	@Test
	void noticesAMemberWhoWasToldOtherwise() throws Exception {
		JoinRun run = run((rooms) -> (room, user) -> {
			rooms.enter(room, user);
			return !user.equals("7");
		});
		assertThat(run.wrong()).contains("1 members without a successful answer");
	}

	@Test
	void countsOtherAnswersAsErrors() throws Exception {
		JoinRun run = run((rooms) -> (room, user) -> {
			throw new IllegalStateException("broken");
		});
		assertThat(run.errors()).containsEntry("503 broken", USERS);
		assertThat(run.failed()).isEqualTo(USERS);
	}

	/**
	 * Creates a joiner.
	 */
	@FunctionalInterface
	private interface Making {

		Joiner make(RoomTable rooms) throws Exception;

	}

	private static JoinRun run(Making making) throws Exception {
		int port = KitProcess.freePort();
		String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
		try (RoomTable rooms = new RoomTable(url, "sa", "");
				Connection connection = DriverManager.getConnection(url, "sa", "");
				Statement statement = connection.createStatement();
				Joiner joiner = making.make(rooms);
				JoinServer server = new JoinServer(port, rooms, joiner);
				JoinTarget target = new JoinServerTarget(port)) {
			statement.execute("CREATE TRIGGER pause BEFORE INSERT ON contention_member FOR EACH ROW CALL '"
					+ PauseBeforeInsert.class.getName() + "'");
			return JoinRun.at(target, USERS, PLACES, Duration.ofMillis(20));
		}
	}

}
