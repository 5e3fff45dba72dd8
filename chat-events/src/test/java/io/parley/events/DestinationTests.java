package io.parley.events;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class DestinationTests {

	@ParameterizedTest
	@ValueSource(strings = { "/topic/rooms.a", "/topic/rooms.A-z_9", "/topic/rooms.a.signals", "/user/queue/events",
			"/app/token", "/app/rooms.a.send", "/app/rooms.a.edit", "/app/rooms.a.delete", "/app/rooms.a.react",
			"/app/rooms.a.pin", "/app/rooms.a.delivered", "/app/rooms.a.typing", "/app/rooms.a.read" })
	void isFormattedAsItWasParsed(String destination) {
		assertThat(Destination.parse(destination)).isNotNull().hasToString(destination);
	}

	@Test
	void acceptsARoomNameOfUpTo64Characters() {
		assertThat(Destination.parse("/topic/rooms." + "x".repeat(64)))
			.isEqualTo(new Destination.RoomTopic("x".repeat(64)));
		assertThat(Destination.parse("/topic/rooms." + "x".repeat(65))).isNull();
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", "/", "/topic/rooms.", "/topic/rooms", "/topic/rooms.*", "/topic/rooms.a.b",
			"/topic/rooms.a/b", "/topic/rooms.a.signals.x", "/topic/rooms.ä", "/topic/rooms.a\n", "/topic/rooms.a ",
			" /topic/rooms.a", "/topic/**", "/queue/events", "/user/bert/queue/events", "/user/queue/events-user1",
			"/app/rooms.a.pins", "/app/rooms.a.SEND", "/app/rooms..send", "/app/token/x", "/TOPIC/rooms.a" })
	void rejectsEverythingElse(String destination) {
		assertThat(Destination.parse(destination)).isNull();
	}

}
