package io.parley.events;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** Decodes random records of every type and random bytes. */
class EventFuzzTests {

	private static final String SURROGATES = "[\\x{d800}-\\x{dfff}]";

	@Property
	void readsOrRejectsRandomBytes(@ForAll byte[] bytes) {
		read(bytes);
	}

	@Property
	void readsOrRejectsADamagedRecord(@ForAll("events") RoomEvent event, @ForAll RecordFormat format,
			@ForAll("splices") List<Splice> splices) {
		Assume.that(event.type().isIn(format));
		byte[] bytes = EventRecord.of(event).encode(format);
		for (Splice splice : splices) {
			bytes = splice.apply(bytes);
		}
		read(bytes);
	}

	private static void read(byte[] bytes) {
		String room = EventRecord.roomOf(bytes);
		assertThat(room == null || RoomNames.isValid(room)).isTrue();
		try {
			EventRecord record = EventRecord.decode(bytes);
			assertThat(record.json(9, 7)).endsWith(record.tail());
			assertThat(record.json(9, 7, 3)).endsWith(record.tail());
			assertThat(EventRecord.decode(record.encode(RecordFormat.V2)).tail()).isEqualTo(record.tail());
			record.event();
		}
		catch (UnreadableEventException | NewerRecordException ex) {
			assertThat(ex).hasMessageNotContaining("null");
		}
	}

	@Property
	void everyEventSurvivesEncodingAndDecoding(@ForAll("events") RoomEvent event, @ForAll RecordFormat format) {
		Assume.that(event.type().isIn(format));
		EventRecord record = EventRecord.decode(EventRecord.of(event).encode(format));
		assertThat(record.event()).isEqualTo(event);
		JsonNode json = JsonMapper.shared().readTree(record.json(9, 7, 3));
		assertThat(json.path("type").stringValue()).isEqualTo(event.type().wireName());
		assertThat(json.path("sender").stringValue()).isEqualTo(event.sender());
		if (event instanceof MessagePosted message) {
			assertThat(new ArrayList<>(((MessagePosted) record.event()).extra().entrySet()))
				.isEqualTo(new ArrayList<>(message.extra().entrySet()));
			assertThat(json.path("text").stringValue()).isEqualTo(message.text());
			message.extra()
				.forEach((name, value) -> assertThat(json.get(name)).isEqualTo(JsonMapper.shared().readTree(value)));
		}
	}

	@Provide
	Arbitrary<RoomEvent> events() {
		Arbitrary<String> rooms = Arbitraries.strings().withChars("abcXYZ019_-").ofMinLength(1).ofMaxLength(64);
		Arbitrary<Instant> times = Arbitraries.longs().between(0, 253_402_300_799_999L).map(Instant::ofEpochMilli);
		Arbitrary<String> texts = texts(0, 300);
		Arbitrary<RoomEvent> messages = Combinators
			.combine(rooms, texts(1, 40), texts(1, 32), texts(1, 64), times, texts, extras())
			.as(MessagePosted::new);
		Arbitrary<RoomEvent> created = Combinators
			.combine(rooms, texts(1, 40), texts(1, 32), times, texts, texts, texts(1, 32).list().ofMaxSize(5))
			.as(RoomCreated::new);
		Arbitrary<RoomEvent> joined = Combinators.combine(rooms, texts(1, 40), texts(1, 32), times, texts)
			.as(MemberJoined::new);
		Arbitrary<RoomEvent> left = Combinators.combine(rooms, texts(1, 40), texts(1, 32), times, texts)
			.as(MemberLeft::new);
		Arbitrary<RoomEvent> roles = Combinators.combine(rooms, texts(1, 40), texts(1, 32), times, texts, texts)
			.as(MemberRole::new);
		Arbitrary<RoomEvent> pins = Combinators
			.combine(rooms, texts(1, 40), texts(1, 32), texts(1, 64), times, Arbitraries.longs(),
					Arbitraries.of(true, false), Arbitraries.longs())
			.as(PinChanged::new);
		Arbitrary<RoomEvent> changed = Combinators
			.combine(rooms, texts(1, 40), texts(1, 32), times, texts.injectNull(0.3), texts.injectNull(0.3),
					Arbitraries.integers().injectNull(0.3), Arbitraries.of(true, false).injectNull(0.3))
			.as(RoomChanged::new);
		return Arbitraries.oneOf(messages, messages, created, joined, left, roles, pins, changed);
	}

	private static Arbitrary<String> texts(int min, int max) {
		return Arbitraries.strings()
			.all()
			.ofMinLength(min)
			.ofMaxLength(max)
			.map((text) -> text.replaceAll(SURROGATES, "\ud83d\ude00"))
			.filter((text) -> !text.isEmpty() || min == 0);
	}

	private static Arbitrary<Map<String, String>> extras() {
		Arbitrary<String> names = texts(0, 20).filter((name) -> !EventRecord.RESERVED_FIELDS.contains(name));
		return Arbitraries.maps(names, values()).ofMaxSize(5).map(LinkedHashMap::new);
	}

	/** Generates valid JSON that a mapper would format differently. */
	private static Arbitrary<String> values() {
		Arbitrary<String> numbers = Arbitraries.oneOf(Arbitraries.bigDecimals().map(Object::toString),
				Arbitraries.of("1e400", "-1E-400", "0.10", "-0", "-0.0", "9223372036854775808", "1e+5", "1E05"));
		Arbitrary<String> strings = Arbitraries.oneOf(
				texts(0, 50).map((text) -> JsonMapper.shared().writeValueAsString(text)),
				Arbitraries.of("\"\\u0041\\/\"", "\"\\ud83d\\ude00\"", "\"\ud83d\ude00\"", "\"\""));
		Arbitrary<String> scalars = Arbitraries.oneOf(numbers, strings, Arbitraries.of("true", "false", "null"));
		return Arbitraries.lazyOf(() -> scalars, () -> scalars,
				() -> values().list().ofMaxSize(3).map((values) -> "[ " + String.join(" ,\n", values) + "\t]"),
				() -> values().map((value) -> "{ \"a\" : " + value + "}"));
	}

	@Provide
	Arbitrary<List<Splice>> splices() {
		return Combinators
			.combine(Arbitraries.integers().greaterOrEqual(0), Arbitraries.integers().between(0, 8),
					Arbitraries.bytes().array(byte[].class).ofMaxSize(8))
			.as(Splice::new)
			.list()
			.ofMinSize(1)
			.ofMaxSize(4);
	}

	/** Replaces a range of bytes. */
	private record Splice(int place, int cut, byte[] insert) {

		byte[] apply(byte[] bytes) {
			int from = this.place % (bytes.length + 1);
			int to = Math.min(bytes.length, from + this.cut);
			byte[] result = new byte[bytes.length - (to - from) + this.insert.length];
			System.arraycopy(bytes, 0, result, 0, from);
			System.arraycopy(this.insert, 0, result, from, this.insert.length);
			System.arraycopy(bytes, to, result, from + this.insert.length, bytes.length - to);
			return result;
		}

	}

}
