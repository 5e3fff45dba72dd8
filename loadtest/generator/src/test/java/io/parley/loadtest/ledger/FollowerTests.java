package io.parley.loadtest.ledger;

import java.nio.charset.StandardCharsets;

import io.parley.loadtest.stomp.EventBody;
import org.junit.jupiter.api.Test;

import org.springframework.messaging.simp.stomp.StompCommand;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

import static org.assertj.core.api.Assertions.assertThat;

class FollowerTests {

	private final Follower follower = new Follower("0123abcd");

	@Test
	void hasCaughtUpWhenAllIsHereThatWasThereWhenItCameBack() {
		subscribed(10);
		event(11, 10);
		assertThat(this.follower.isCaughtUp()).as("at first nothing is missed").isTrue();
		subscribed(13);
		assertThat(this.follower.isCaughtUp()).isFalse();
		event(12, 11);
		assertThat(this.follower.isCaughtUp()).isFalse();
		event(13, 12);
		assertThat(this.follower.isCaughtUp()).isTrue();
		event(14, 13);
		assertThat(this.follower.replayed()).as("12 and 13 were missed, 14 is new").isEqualTo(2);
	}

	private void subscribed(long head) {
		this.follower.subscribed(body("{\"type\":\"subscribed\",\"head\":%d,\"recovered\":true}".formatted(head)));
	}

	private void event(long position, long prev) {
		StompHeaderAccessor headers = StompHeaderAccessor.create(StompCommand.MESSAGE);
		headers.setNativeHeader("position", Long.toString(position));
		headers.setNativeHeader("prev", Long.toString(prev));
		this.follower.event(headers, body("{\"type\":\"message.posted\",\"text\":\"hello\"}"));
	}

	private static EventBody body(String json) {
		return EventBody.read(json.getBytes(StandardCharsets.UTF_8));
	}

}
