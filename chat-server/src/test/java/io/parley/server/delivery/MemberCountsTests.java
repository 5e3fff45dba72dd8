package io.parley.server.delivery;

import java.time.Duration;
import java.util.Map;

import io.parley.server.database.Databases;
import io.parley.server.error.StoreFailures;
import io.parley.server.room.MemberAdded;
import io.parley.server.room.MemberGone;
import io.parley.server.room.MemberRemoved;
import io.parley.store.room.RoomKind;
import io.parley.store.room.RoomMembers;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentMatchers;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** When a room is told how many members it has. */
class MemberCountsTests {

	private static final long SECOND = Duration.ofSeconds(1).toNanos();

	private final RoomMembers stored = Mockito.mock(RoomMembers.class);

	private final RoomSignals signals = Mockito.mock(RoomSignals.class);

	private final MemberCounts counts = new MemberCounts(
			Databases.of(new DriverManagerDataSource("jdbc:h2:mem:unused")), this.stored, this.signals);

	private void members(int members) {
		BDDMockito.willReturn(Map.of("room", members)).given(this.stored).counts(ArgumentMatchers.any());
	}

	private void join(int members) {
		members(members);
		this.counts.added(new MemberAdded("room", "Room", RoomKind.CHANNEL, "bert", "bert"));
	}

	private void leave(int members) {
		members(members);
		this.counts.gone(new MemberGone("room"));
	}

	private void verifySignal(int members) {
		Mockito.verify(this.signals).memberCount("room", members);
		verifyNoSignal();
	}

	private void verifyNoSignal() {
		Mockito.verifyNoMoreInteractions(this.signals);
		Mockito.clearInvocations(this.signals);
	}

	@Test
	void isSignalledAtOnceAndThenOnceASecond() {
		join(1_001);
		this.counts.signalDue(0);
		verifySignal(1_001);
		for (int i = 1; i <= 50; i++) {
			join(1_001 + i);
			this.counts.signalDue(SECOND / 51 * i);
		}
		verifyNoSignal();
		this.counts.signalDue(SECOND);
		verifySignal(1_051);
		this.counts.signalDue(2 * SECOND);
		this.counts.signalDue(3 * SECOND);
		verifyNoSignal();
	}

	@Test
	void isReadAgainASecondLater() {
		join(1_001);
		this.counts.signalDue(0);
		verifySignal(1_001);
		members(1_002);
		this.counts.signalDue(SECOND);
		verifySignal(1_002);
	}

	/** The others count who leaves, but not who joins. */
	@Test
	void isSignalledWhenAsManyJoinedAsLeft() {
		join(1_001);
		this.counts.signalDue(0);
		verifySignal(1_001);
		leave(1_000);
		join(1_001);
		this.counts.signalDue(SECOND);
		verifySignal(1_001);
	}

	@Test
	void isSignalledToARoomThatIsNoLongerLarge() {
		join(1_001);
		leave(1_000);
		leave(999);
		this.counts.signalDue(0);
		verifySignal(999);
	}

	@Test
	void isSignalledAfterALeaveIfTheRoomWasLarge() {
		leave(1_000);
		this.counts.signalDue(0);
		verifySignal(1_000);
		this.counts.signalDue(SECOND);
		leave(999);
		this.counts.signalDue(2 * SECOND);
		verifyNoSignal();
	}

	@Test
	void isSignalledAfterARemovalThatTheLogMayNotHave() {
		members(1_005);
		this.counts.removed(new MemberRemoved("room", "bert", "anna"));
		this.counts.signalDue(0);
		verifySignal(1_005);
	}

	@Test
	void isSignalledOnceTheDatabaseIsBack() {
		BDDMockito.given(this.stored.counts(ArgumentMatchers.any())).willThrow(StoreFailures.unavailable());
		this.counts.added(new MemberAdded("room", "Room", RoomKind.CHANNEL, "bert", "bert"));
		this.counts.signalDue(0);
		verifyNoSignal();
		members(1_001);
		this.counts.signalDue(1);
		verifySignal(1_001);
	}

	@Test
	void isNotSignalledToARoomThatIsGone() {
		BDDMockito.given(this.stored.counts(ArgumentMatchers.any())).willReturn(Map.of());
		this.counts.added(new MemberAdded("room", "Room", RoomKind.CHANNEL, "bert", "bert"));
		this.counts.signalDue(0);
		verifyNoSignal();
	}

}
