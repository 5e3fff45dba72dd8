package io.parley.events;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class EventRecordTests {

	private static final Instant AT = Instant.parse("2026-11-20T22:26:56.298Z");

	private static final MessagePosted MESSAGE = new MessagePosted("r", "id", "anna", "c1", AT,
			"Hi \"ä\" \uD83D\uDE00\0", Map.of());

	static Stream<RoomEvent> events() {
		return Stream.of(MESSAGE, new RoomCreated("r", "id", "anna", AT, "Lobby", "group", List.of("anna", "bert")),
				new MemberJoined("r", "id", "anna", AT, "bert"), new MemberLeft("r", "id", "anna", AT, "bert"));
	}

	@ParameterizedTest
	@MethodSource("events")
	void comesBackFromTheLogAsItWas(RoomEvent event) {
		EventRecord record = EventRecord.decode(EventRecord.of(event).encode());
		assertThat(record.event()).isEqualTo(event);
		assertThat(record.type()).isEqualTo(event.type());
	}

	@ParameterizedTest
	@MethodSource("events")
	void givesClientsTheirPlaceInFront(RoomEvent event) {
		JsonNode json = JsonMapper.shared().readTree(EventRecord.of(event).json(9, 7));
		assertThat(json.path("type").asString()).isEqualTo(event.type().wireName());
		assertThat(json.path("position").asLong()).isEqualTo(9);
		assertThat(json.path("prev").asLong()).isEqualTo(7);
		assertThat(json.path("sentAt").asString()).isEqualTo(AT.toString());
		assertThat(json.has("number")).isFalse();
		assertThat(JsonMapper.shared().readTree(EventRecord.of(event).json(9, 7, 3)).path("number").asLong())
			.isEqualTo(3);
	}

	@Test
	void keepsTheSendersOwnFields() {
		MessagePosted message = new MessagePosted("r", "id", "anna", "c1", AT, "", Map.of("mood", "\"fine\""));
		byte[] json = EventRecord.decode(EventRecord.of(message).encode()).json(1, 0);
		assertThat(JsonMapper.shared().readTree(json).path("mood").asString()).isEqualTo("fine");
	}

	/** What lies in logs must stay readable: this is a record as version 1 wrote it. */
	@Test
	void readsWhatWasWrittenBefore() {
		String stored = "01" + "04" + "0000000000000001" + "0001" + "72" + "0001" + "69" + "0001" + "61" + "0001" + "63"
				+ HexFormat.of().formatHex("\"clientId\":\"c\",\"text\":\"t\"}".getBytes(StandardCharsets.UTF_8));
		assertThat(EventRecord.decode(HexFormat.of().parseHex(stored)).event())
			.isEqualTo(new MessagePosted("r", "i", "a", "c", Instant.ofEpochMilli(1), "t", Map.of()));
	}

	@Test
	void refusesARecordThatIsCutShortAtAnyByte() {
		byte[] whole = EventRecord.of(MESSAGE).encode();
		for (int length = 0; length < whole.length; length++) {
			byte[] cut = Arrays.copyOf(whole, length);
			assertThatExceptionOfType(UnreadableEventException.class).as("%d bytes", length)
				.isThrownBy(() -> EventRecord.decode(cut).event());
		}
	}

	@Test
	void refusesAnUnknownVersionOrType() {
		byte[] version = EventRecord.of(MESSAGE).encode();
		version[0] = 2;
		assertThatExceptionOfType(UnreadableEventException.class).isThrownBy(() -> EventRecord.decode(version))
			.withMessageContaining("version 2");
		byte[] type = EventRecord.of(MESSAGE).encode();
		type[1] = 99;
		assertThatExceptionOfType(UnreadableEventException.class).isThrownBy(() -> EventRecord.decode(type))
			.withMessageContaining("99");
	}

}
