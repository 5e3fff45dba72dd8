package io.parley.server.delivery;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.parley.events.Destination;
import io.parley.server.session.ChatSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;

/** A broker can deliver events before this server has read them. */
class RoomSubscriptionTests {

	private static final Destination.RoomTopic ROOM = new Destination.RoomTopic("room");

	private final ChatSession session = Mockito.mock(ChatSession.class);

	private final List<String> sent = new ArrayList<>();

	private RoomSubscription subscription;

	@BeforeEach
	void goLive() {
		BDDMockito.given(this.session.user()).willReturn("bert");
		BDDMockito.given(this.session.offer(Mockito.any())).willAnswer((call) -> {
			this.sent.add(new String(call.<byte[]>getArgument(0), StandardCharsets.UTF_8));
			return true;
		});
		this.subscription = new RoomSubscription(this.session, "s", ROOM, Mockito.mock(LiveDelivery.class),
				Mockito.mock(SubscribedRoom.class));
		this.subscription.goLive();
	}

	private void deliver(long position, String fields) {
		String json = "{\"type\":\"" + fields.replace('\'', '"') + "}";
		this.subscription.deliver(LiveFrame.event(ROOM, position, position - 1, json.getBytes(StandardCharsets.UTF_8)));
	}

	@Test
	void sendsNothingAfterTheLeaveOfItsUser() {
		deliver(1, "message.posted','text':'one'");
		deliver(2, "member.left','room':'room','position':2,'member':'bert'");
		deliver(3, "message.posted','text':'two'");
		assertThat(this.sent).hasSize(2);
		assertThat(this.sent.get(0)).contains("one");
		assertThat(this.sent.get(1)).contains("member.left");
	}

	@Test
	void sendsWhatFollowsTheLeaveOfOthers() {
		deliver(1, "member.left','room':'room','position':1,'member':'anna'");
		deliver(2, "message.posted','text':'{\\'type\\':\\'member.left\\',\\'member\\':\\'bert\\'}'");
		deliver(3, "message.posted','text':'two'");
		assertThat(this.sent).hasSize(3);
	}

}
