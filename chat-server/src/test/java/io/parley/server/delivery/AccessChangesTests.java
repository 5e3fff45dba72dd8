package io.parley.server.delivery;

import io.parley.server.delivery.UserEvents.RoomAdded;
import io.parley.server.room.DirectBlocks;
import io.parley.server.room.MemberAdded;
import io.parley.server.room.MemberCache;
import io.parley.server.room.MemberChanged;
import io.parley.server.room.RoomSettingsCache;
import io.parley.server.session.SessionRegistry;
import io.parley.store.room.RoomKind;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.mockito.ArgumentMatchers;
import org.mockito.InOrder;
import org.mockito.Mockito;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** What the other servers are told of access changes. */
class AccessChangesTests {

	private final NodeMessenger messenger = Mockito.mock(NodeMessenger.class);

	private final UserEvents userEvents = Mockito.mock(UserEvents.class);

	private final MemberCache members = Mockito.mock(MemberCache.class);

	private final AccessChanges changes = new AccessChanges(this.messenger, Mockito.mock(SessionRegistry.class),
			Mockito.mock(RoomSubscriptionService.class), this.userEvents, this.members,
			Mockito.mock(DirectBlocks.class), Mockito.mock(PresenceSignals.class),
			Mockito.mock(RoomSettingsCache.class), Mockito.mock(RoomSignals.class), JsonMapper.shared());

	/** A user who has got the event may use the room on any server. */
	@Test
	void serversForgetWhoJoinedBeforeTheUserIsTold() {
		this.changes.added(new MemberAdded("room", "Room", RoomKind.CHANNEL, "bert", "anna"));
		ArgumentCaptor<byte[]> body = ArgumentCaptor.captor();
		InOrder order = Mockito.inOrder(this.members, this.messenger, this.userEvents);
		order.verify(this.members).forget("room", "bert");
		order.verify(this.messenger)
			.broadcast(ArgumentMatchers.eq(NodeSignal.Kind.MEMBER), ArgumentMatchers.eq("bert"), body.capture());
		order.verify(this.userEvents).send("bert", new RoomAdded("room", "Room", "channel", "anna"));
		MemberChanged told = JsonMapper.shared().readValue(body.getValue(), MemberChanged.class);
		assertThat(told.room()).isEqualTo("room");
		assertThat(told.user()).isEqualTo("bert");
		this.changes.changedElsewhere(body.getValue());
		Mockito.verify(this.members, Mockito.times(2)).forget("room", "bert");
	}

}
