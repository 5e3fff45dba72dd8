package io.parley.loadtest.ledger;

import java.util.List;

import io.parley.loadtest.stomp.EventBody;
import io.parley.loadtest.stomp.LoadMessage;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.messaging.simp.stomp.StompCommand;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

import static org.assertj.core.api.Assertions.assertThat;

class LedgerCountsTests {

	private static final String RUN = "run";

	private final SendLedger ledger = new SendLedger();

	private final Follower follower = new Follower(RUN);

	private final LedgerCounts counts = new LedgerCounts();

	LedgerCountsTests() {
		for (long sequence = 0; sequence < 3; sequence++) {
			this.ledger.attempted(sequence, "room");
			this.ledger.acknowledged(sequence);
		}
		this.follower.subscribed(new EventBody("subscribed", null, 10, true, "", null, "", "", 0, ""));
	}

	@Test
	void findsNothingWhereEverythingIsThere() {
		see(11, 10, 0);
		see(12, 11, 1);
		see(13, 12, 2);
		compare(event(10, 0, -1), event(11, 10, 0), event(12, 11, 1), event(13, 12, 2));
		assertThat(this.counts.isCorrect()).isTrue();
		assertThat(this.counts.inHistory).isEqualTo(3);
	}

	@Test
	void findsWhatAFollowerMissedAndWasNotToldOf() {
		see(11, 10, 0);
		see(13, 11, 2);
		compare(event(10, 0, -1), event(11, 10, 0), event(12, 11, 1), event(13, 12, 2));
		assertThat(this.counts.missed).isEqualTo(1);
		assertThat(this.counts.isCorrect()).isFalse();
	}

	@Test
	void allowsARetriedMessageASecondPosition() {
		this.ledger.unknown(1);
		see(11, 10, 0);
		see(12, 11, 1);
		see(13, 12, 1);
		see(14, 13, 2);
		compare(event(10, 0, -1), event(11, 10, 0), event(12, 11, 1), event(14, 12, 2));
		assertThat(this.counts.isCorrect()).isTrue();
		assertThat(this.counts.doubledByRetry).isEqualTo(1);
	}

	@Test
	void allowsNoSecondPositionWithoutARetry() {
		see(11, 10, 0);
		see(12, 11, 0);
		compare(event(10, 0, -1), event(11, 10, 0), event(13, 11, 1), event(14, 13, 2));
		assertThat(this.counts.phantoms).isEqualTo(1);
	}

	@Test
	void findsAnotherMessageThanWasDelivered() {
		see(11, 10, 0);
		see(12, 11, 1);
		see(13, 12, 2);
		compare(event(10, 0, -1), event(11, 10, 0), event(12, 11, 2), event(13, 12, 1));
		assertThat(this.counts.outOfOrder).isEqualTo(2);
	}

	@Test
	void findsWhatNobodySent() {
		compare(event(10, 0, -1), event(11, 10, 7));
		assertThat(this.counts.unexpected).isEqualTo(1);
		assertThat(this.counts.lost).isEqualTo(3);
	}

	private void see(long position, long prev, long sequence) {
		StompHeaderAccessor headers = StompHeaderAccessor.create(StompCommand.MESSAGE);
		headers.setNativeHeader("position", Long.toString(position));
		headers.setNativeHeader("prev", Long.toString(prev));
		String text = new LoadMessage(RUN, sequence, 0).text();
		this.follower.event(headers, new EventBody("message.posted", text, 0, false, "", null, "", "", 0, ""));
	}

	private void compare(JsonNode... events) {
		RoomHistory history = new RoomHistory(List.of(events), RUN);
		this.counts.add("room", history, this.ledger);
		this.counts.add(this.follower, history, this.ledger);
	}

	private static JsonNode event(long position, long prev, long sequence) {
		String type = (sequence < 0) ? "room.created" : "message.posted";
		String json = "{\"type\":\"%s\",\"position\":%d,\"prev\":%d,\"clientId\":\"%s-%d\",\"text\":\"%s\"}"
			.formatted(type, position, prev, RUN, sequence, new LoadMessage(RUN, sequence, 0).text());
		return JsonMapper.shared().readTree(json);
	}

}
