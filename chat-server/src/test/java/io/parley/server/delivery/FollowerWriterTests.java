package io.parley.server.delivery;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.parley.server.session.ChatSession;
import io.parley.store.presence.LostSession;
import io.parley.store.presence.LostSessionRepository;
import io.parley.store.presence.RoomPresence;
import org.junit.jupiter.api.Test;
import org.mockito.BDDMockito;
import org.mockito.Mockito;
import org.mockito.invocation.InvocationOnMock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Checks what is written while users subscribe and unsubscribe all the time. */
class FollowerWriterTests {

	private static final String NODE = "here";

	private final RoomPresence presence = Mockito.mock(RoomPresence.class);

	private final LostSessionRepository lostSessions = Mockito.mock(LostSessionRepository.class);

	private final ChatSession session = newSession();

	private final FollowerWriter followers = new FollowerWriter(this.presence, this.lostSessions);

	/** The rows of the store: the rooms of each user. */
	private final Map<String, Set<String>> rows = new HashMap<>();

	private final List<String> written = new ArrayList<>();

	private final List<LostSession> lost = new ArrayList<>();

	private boolean unavailable;

	FollowerWriterTests() {
		BDDMockito.will(this::store).given(this.presence).store(Mockito.any(), Mockito.any());
		BDDMockito.will((call) -> this.lost.addAll(call.getArgument(0))).given(this.lostSessions).add(Mockito.any());
	}

	private Object store(InvocationOnMock call) {
		Map<String, Set<String>> changes = call.getArgument(1);
		if (this.unavailable && !changes.isEmpty()) {
			throw new IllegalStateException("The store is unavailable");
		}
		changes.forEach((user, rooms) -> {
			this.written.add(user);
			this.rows.put(user, rooms);
			this.rows.values().remove(Set.of());
		});
		return Boolean.TRUE;
	}

	private Set<String> rooms() {
		return this.rows.getOrDefault("anna", Set.of());
	}

	@Test
	void areNotWrittenWhenTheirSubscriptionIsRefused() {
		for (int i = 0; i < 10_000; i++) {
			this.followers.entered("room" + i, this.session);
			this.followers.left("room" + i, this.session);
		}
		assertThat(this.followers.write(NODE)).isFalse();
		assertThat(this.written).isEmpty();
	}

	@Test
	void areWrittenOnceHoweverOftenTheySubscribe() {
		for (int i = 0; i < 1_000; i++) {
			this.followers.entered("room", this.session);
			this.followers.entered("room", this.session);
			this.followers.left("room", this.session);
		}
		this.followers.write(NODE);
		assertThat(this.written).containsExactly("anna");
		for (int i = 0; i < 1_000; i++) {
			this.followers.left("room", this.session);
		}
		this.followers.entered("room", this.session);
		this.followers.write(NODE);
		assertThat(this.written).as("the row is there already").containsExactly("anna");
		this.followers.left("room", this.session);
		this.followers.write(NODE);
		assertThat(this.rows).isEmpty();
		assertThat(this.written).hasSize(2);
	}

	@Test
	void areWrittenOnceForAllRooms() {
		for (int i = 0; i < 20; i++) {
			this.followers.entered("room" + i, this.session);
		}
		this.followers.write(NODE);
		assertThat(this.written).containsExactly("anna");
		assertThat(rooms()).hasSize(20);
		this.followers.left("room7", this.session);
		this.followers.entered("another", this.session);
		this.followers.write(NODE);
		assertThat(this.written).hasSize(2);
		assertThat(rooms()).hasSize(20).contains("another").doesNotContain("room7");
	}

	@Test
	void areWrittenInBatchesAndNoneIsSkipped() {
		for (int i = 0; i < 2_500; i++) {
			this.followers.entered("room", newSession("user" + i));
		}
		assertThat(this.followers.write(NODE)).isTrue();
		assertThat(this.rows).hasSize(1_000);
		while (this.followers.write(NODE)) {
			assertThat(this.rows).hasSizeLessThanOrEqualTo(2_500);
		}
		assertThat(this.rows).hasSize(2_500);
		assertThat(this.written).hasSize(2_500);
	}

	@Test
	void areWrittenWhenTheStoreHasRecovered() {
		this.followers.entered("stays", this.session);
		this.followers.entered("leaves", this.session);
		this.unavailable = true;
		assertThatIllegalStateException().isThrownBy(() -> this.followers.write(NODE));
		this.followers.left("leaves", this.session);
		this.followers.entered("comes", this.session);
		this.unavailable = false;
		this.followers.write(NODE);
		assertThat(rooms()).containsExactlyInAnyOrder("comes", "stays");
		this.unavailable = true;
		this.followers.left("stays", this.session);
		assertThatIllegalStateException().isThrownBy(() -> this.followers.write(NODE));
		this.unavailable = false;
		this.followers.write(NODE);
		assertThat(rooms()).containsExactly("comes");
	}

	@Test
	void areWrittenAgainWhenTheirRowsWereRemoved() {
		this.followers.entered("room", this.session);
		this.followers.write(NODE);
		this.rows.clear();
		BDDMockito.given(this.presence.clearSome(NODE)).willReturn(true, true, false);
		this.followers.begin(NODE);
		for (int part = 0; part < 3; part++) {
			assertThat(this.followers.write(NODE)).isTrue();
			assertThat(this.rows).as("rows of an earlier run are removed first").isEmpty();
		}
		assertThat(this.followers.write(NODE)).isFalse();
		assertThat(rooms()).containsExactly("room");
		Mockito.verify(this.presence, Mockito.times(3)).clearSome(NODE);
	}

	@Test
	void areRecordedAsLostOncePerSessionAndRoom() {
		ChatSession lost = newSession();
		BDDMockito.given(lost.lost()).willReturn(true);
		for (int i = 0; i < 200; i++) {
			this.followers.entered("room", lost);
		}
		for (int i = 0; i < 200; i++) {
			this.followers.left("room", lost);
		}
		this.followers.write(NODE);
		assertThat(this.lost).hasSize(1).first().extracting(LostSession::room).isEqualTo("room");
	}

	private static ChatSession newSession() {
		return newSession("anna");
	}

	private static ChatSession newSession(String user) {
		ChatSession session = Mockito.mock(ChatSession.class, Mockito.withSettings().stubOnly());
		BDDMockito.given(session.user()).willReturn(user);
		BDDMockito.given(session.id()).willReturn("s");
		BDDMockito.given(session.lastReceivedAt()).willReturn(Instant.EPOCH);
		return session;
	}

}
