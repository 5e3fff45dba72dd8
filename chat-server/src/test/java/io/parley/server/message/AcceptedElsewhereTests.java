package io.parley.server.message;

import java.time.Instant;
import java.util.Map;

import io.parley.events.EventRecord;
import io.parley.events.MemberJoined;
import io.parley.events.MessagePosted;
import io.parley.events.RoomEvent;
import io.parley.server.delivery.UserEvents;
import io.parley.server.delivery.UserEvents.Accepted;
import io.parley.server.timeline.PositionedEvent;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

/** Messages that other servers have accepted, as read from the log. */
class AcceptedElsewhereTests {

	private final UserEvents userEvents = Mockito.mock(UserEvents.class);

	private final AcceptedElsewhere accepted = new AcceptedElsewhere(this.userEvents);

	private void read(RoomEvent event) {
		this.accepted.onEvent(new PositionedEvent(7, 3, EventRecord.of(event)));
	}

	private static MessagePosted message(String id) {
		return new MessagePosted("room", id, "anna", "c1", Instant.EPOCH, "text", Map.of());
	}

	@Test
	void reportsAMessageOfAnotherServerToTheSenderHere() {
		read(message("id"));
		Mockito.verify(this.userEvents).sendHere("anna", new Accepted("c1", "room", 7, "id"));
		Mockito.verifyNoMoreInteractions(this.userEvents);
	}

	@Test
	void leavesOutWhatThisServerReportsItself() {
		this.accepted.postedHere("id");
		read(message("id"));
		Mockito.verifyNoInteractions(this.userEvents);
	}

	/** The outcome of the append is unknown, and the message is in the log. */
	@Test
	void reportsWhatFailedHere() {
		this.accepted.postedHere("id");
		this.accepted.failedHere("id");
		read(message("id"));
		Mockito.verify(this.userEvents).sendHere("anna", new Accepted("c1", "room", 7, "id"));
	}

	@Test
	void leavesOutOtherEvents() {
		read(new MemberJoined("room", "id", "anna", Instant.EPOCH, "bert"));
		Mockito.verifyNoInteractions(this.userEvents);
	}

}
