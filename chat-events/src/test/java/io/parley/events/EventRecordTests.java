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
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
	void survivesEncodingAndDecoding(RoomEvent event) {
		for (RecordFormat format : RecordFormat.values()) {
			EventRecord record = EventRecord.decode(EventRecord.of(event).encode(format));
			assertThat(record.event()).isEqualTo(event);
			assertThat(record.type()).isSameAs(event.type());
			assertThat(record.counts()).isEqualTo(event instanceof MessagePosted);
		}
	}

	@Test
	void storesAChangeOfRoleInFormat2Only() {
		MemberRole changed = new MemberRole("r", "id", "anna", AT, "bert", "reader");
		EventRecord record = EventRecord.decode(EventRecord.of(changed).encode(RecordFormat.V2));
		assertThat(record.event()).isEqualTo(changed);
		assertThat(record.type()).isSameAs(EventType.MEMBER_ROLE);
		assertThat(record.counts()).isFalse();
		assertThat(record.type().changesMembers()).isFalse();
		assertThatIllegalArgumentException().isThrownBy(() -> EventRecord.of(changed).encode(RecordFormat.V1))
			.withMessageContaining("member.role");
		byte[] forged = EventRecord.of(new MemberLeft("r", "id", "anna", AT, "bert")).encode(RecordFormat.V1);
		forged[1] = (byte) EventType.MEMBER_ROLE.code();
		assertThatExceptionOfType(UnreadableEventException.class).isThrownBy(() -> EventRecord.decode(forged))
			.withMessageContaining("code 5");
	}

	@Test
	void readsTheSendTimeFromTheBytes() {
		EventRecord record = EventRecord.of(MESSAGE);
		for (RecordFormat format : RecordFormat.values()) {
			assertThat(EventRecord.sentAt(record.encode(format))).isEqualTo(AT);
		}
		assertThat(EventRecord.sentAt(new byte[0])).isNull();
		assertThat(EventRecord.sentAt(new byte[] { 1 })).isNull();
		assertThat(EventRecord.sentAt(new byte[] { 2, 0 })).isNull();
		byte[] unknown = record.encode();
		unknown[0] = 9;
		assertThat(EventRecord.sentAt(unknown)).isNull();
	}

	@ParameterizedTest
	@MethodSource("events")
	void putsTypeRoomAndPositionFirstInTheJson(RoomEvent event) {
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

	/**
	 * Records in existing logs must stay readable. This one is written as version 1 wrote
	 * it.
	 */
	@Test
	void readsRecordsOfVersion1() {
		String stored = "01" + "04" + "0000000000000001" + "0001" + "72" + "0001" + "69" + "0001" + "61" + "0001" + "63"
				+ HexFormat.of().formatHex("\"clientId\":\"c\",\"text\":\"t\"}".getBytes(StandardCharsets.UTF_8));
		assertThat(EventRecord.decode(HexFormat.of().parseHex(stored)).event())
			.isEqualTo(new MessagePosted("r", "i", "a", "c", Instant.ofEpochMilli(1), "t", Map.of()));
	}

	/** Older builds accepted these values, so existing logs contain them. */
	@ParameterizedTest
	@ValueSource(strings = { "\"clientId\":\"c\\u0000\",\"text\":\"t\\u0000\",\"\\u0000\":\"\\u0000\"}",
			"\"clientId\":\"c\",\"text\":\"t\",\"x\":\"\\ud83d\"}",
			"\"clientId\":\"c\",\"text\":\"t\",\"x\":\"Infinity\"}",
			"\"clientId\":\"c\",\"text\":\"t\",\"x\":1,\"x\":2}" })
	void readsValuesThatAreNoLongerAccepted(String tail) {
		assertThat(messageWith(tail).extra()).hasSize(1);
	}

	@Test
	void readsValuesAboveTodaysLimits() {
		String deep = "[".repeat(499) + "]".repeat(499);
		String many = "[" + "1,".repeat(9_999) + "1]";
		String name = "n".repeat(10_000);
		MessagePosted message = messageWith("\"clientId\":\"c\",\"text\":\"" + name.repeat(10) + "\",\"deep\":" + deep
				+ ",\"many\":" + many + ",\"" + name + "\":" + "1".repeat(1_000) + "}");
		assertThat(message.text()).hasSize(100_000);
		assertThat(message.extra()).containsEntry("deep", deep)
			.containsEntry("many", many)
			.containsEntry(name, "1".repeat(1_000));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "}", "\"name\":\"n\",\"kind\":\"k\"", "\"name\":1,\"kind\":\"k\"}",
			"\"name\":\"n\",\"kind\":\"k\",\"members\":[{}]}", "\"name\":\"n\",\"kind\":\"k\",\"members\":[null]}",
			"\"name\":\"n\",\"kind\":\"k\",\"members\":[]} x" })
	void refusesATailWithTheWrongFields(String tail) {
		EventRecord record = new EventRecord(EventType.ROOM_CREATED, "r", "id", "anna", null, AT,
				tail.getBytes(StandardCharsets.UTF_8));
		assertThatExceptionOfType(UnreadableEventException.class).isThrownBy(record::event);
	}

	private static MessagePosted messageWith(String tail) {
		EventRecord record = new EventRecord(EventType.MESSAGE_POSTED, "r", "id", "anna", "c", AT,
				tail.getBytes(StandardCharsets.UTF_8));
		return (MessagePosted) EventRecord.decode(record.encode()).event();
	}

	/** The length field has two bytes, so a longer field could not be read back. */
	@Test
	void refusesToWriteAHeaderFieldThatIsTooLong() {
		EventRecord record = EventRecord.of(new MemberLeft("r", "i".repeat(65_535), "anna", AT, "bert"));
		assertThat(EventRecord.decode(record.encode()).id()).hasSize(65_535);
		EventRecord tooLong = EventRecord.of(new MemberLeft("r", "i".repeat(65_536), "anna", AT, "bert"));
		assertThatIllegalArgumentException().isThrownBy(tooLong::encode).withMessageContaining("65536");
	}

	@ParameterizedTest
	@EnumSource
	void refusesARecordThatIsCutShortAtAnyByte(RecordFormat format) {
		byte[] whole = EventRecord.of(MESSAGE).encode(format);
		for (int length = 0; length < whole.length; length++) {
			byte[] cut = Arrays.copyOf(whole, length);
			assertThatExceptionOfType(UnreadableEventException.class).as("%d bytes", length)
				.isThrownBy(() -> EventRecord.decode(cut).event());
		}
	}

	@Test
	void refusesAnUnknownVersionAndATypeWithoutAName() {
		byte[] version = EventRecord.of(MESSAGE).encode();
		version[0] = 3;
		assertThatExceptionOfType(UnreadableEventException.class).isThrownBy(() -> EventRecord.decode(version))
			.withMessageContaining("version 3");
		byte[] type = EventRecord.of(MESSAGE).encode();
		type[1] = 99;
		assertThatExceptionOfType(UnreadableEventException.class).isThrownBy(() -> EventRecord.decode(type))
			.withMessageContaining("99");
		assertThat(EventRecord.roomOf(type)).isEqualTo("r");
	}

	@Test
	void passesOnRecordsOfALaterBuild() {
		EventRecord record = EventRecord.decode(poll(EventRecord.COUNTS).encode(RecordFormat.V2));
		assertThat(record.type()).isEqualTo(new EventType(77, "poll.opened"));
		assertThat(record.type().isKnown()).isFalse();
		assertThat(record.counts()).isTrue();
		assertThat(new String(record.json(9, 7), StandardCharsets.UTF_8))
			.isEqualTo("{\"type\":\"poll.opened\",\"room\":\"r\",\"position\":9,\"prev\":7,\"question\":\"Lunch?\"}");
		assertThatExceptionOfType(UnreadableEventException.class).isThrownBy(record::event)
			.withMessageContaining("poll.opened");
		assertThatIllegalArgumentException().isThrownBy(record::encode);
	}

	@Test
	void stopsAtARecordThatALaterBuildMarksAsStop() {
		byte[] stop = poll(EventRecord.STOP).encode(RecordFormat.V2);
		assertThatExceptionOfType(NewerRecordException.class).isThrownBy(() -> EventRecord.decode(stop));
		EventRecord known = new EventRecord(EventType.MESSAGE_POSTED, EventRecord.STOP, "r", "id", "anna", "c", AT,
				new byte[0]);
		assertThat(EventRecord.decode(known.encode(RecordFormat.V2)).counts()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "poll\"opened", "Poll", "message.posted", "a.name.that.is.longer.than.its.column" })
	void refusesAnInvalidTypeName(String name) {
		byte[] bytes = new EventRecord(new EventType(77, name), 0, "r", "id", "anna", null, AT, new byte[0])
			.encode(RecordFormat.V2);
		assertThatExceptionOfType(UnreadableEventException.class).isThrownBy(() -> EventRecord.decode(bytes));
		assertThat(EventRecord.roomOf(bytes)).isEqualTo("r");
	}

	private static EventRecord poll(int flags) {
		return new EventRecord(new EventType(77, "poll.opened"), flags, "r", "id", "anna", "c", AT,
				"\"question\":\"Lunch?\"}".getBytes(StandardCharsets.UTF_8));
	}

	@ParameterizedTest
	@EnumSource(RecordFormat.class)
	void keepsMentionsInEachFormat(RecordFormat format) {
		MessagePosted message = new MessagePosted("r", "id", "anna", "c1", AT, "see \"mentions\":{ @bert",
				Map.of("nested", "{\"mentions\":{}}"), false, 0, null, Mentions.of("bert", "cleo"));
		EventRecord record = EventRecord.decode(EventRecord.of(message).encode(format));
		assertThat(record.event()).isEqualTo(message);
		assertThat(record.mentions()).isEqualTo(Mentions.of("bert", "cleo"));
		EventRecord plain = EventRecord.of(new MessagePosted("r", "id", "anna", "c1", AT, message.text(), Map.of()));
		assertThat(plain.mayMention()).as("only in the text").isFalse();
		EventRecord nested = EventRecord
			.of(new MessagePosted("r", "id", "anna", "c1", AT, message.text(), message.extra()));
		assertThat(nested.mentions()).as("only in a field of the client").isNull();
	}

}
