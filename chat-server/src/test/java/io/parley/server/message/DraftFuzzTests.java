package io.parley.server.message;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

import io.parley.events.EventRecord;
import io.parley.events.MessagePosted;
import io.parley.server.error.ChatException;
import io.parley.server.json.StrictJson;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** Any SEND body is either refused or posted unchanged. */
class DraftFuzzTests {

	private static final StrictJson STRICT = new StrictJson(16_384);

	private static final List<String> PIECES = List.of("\"", "{", "}", "[", "]", ",", ":", "\\u0000", "\\ud83d",
			"\\ud83d\\ude00", "\\u0041", "\0", "1e400", "0.10", "-0", "NaN", "null", ",\"sender\":\"x\"",
			",\"x\":1e400", "\"text\":\"x\",", ",\"x\" : [ {\"y\": 1.50} ]", "\u00c0\u0080", "\u00ed\u00a0\u0080",
			"\u00f0\u009f\u0098\u0080");

	@Property
	void isRefusedOrPostedUnchanged(@ForAll("bodies") byte[] body) {
		String id = MessageDraft.clientId(STRICT, body);
		assertThat(id == null || !id.isEmpty() && id.length() <= 64).isTrue();
		MessageDraft draft;
		try {
			draft = MessageDraft.parse(STRICT, body, (fields) -> MessageDraft.of(fields, null));
		}
		catch (ChatException ex) {
			assertThat(ex.errorCode().code()).isEqualTo("bad-message");
			assertThat(ex.clientId()).isEqualTo(id);
			return;
		}
		assertThat(draft.clientId()).isEqualTo(id);
		MessagePosted message = new MessagePosted("r", "id", "anna", draft.clientId(), Instant.EPOCH, draft.text(),
				draft.extra(), false, draft.replyTo(), null);
		EventRecord record = EventRecord.decode(EventRecord.of(message).encode());
		assertThat(record.event()).isEqualTo(message);
		assertThat(record.clientId()).isEqualTo(draft.clientId());
		String text = new String(body, StandardCharsets.UTF_8);
		String json = new String(record.json(2, 1), StandardCharsets.UTF_8);
		assertThat(JsonMapper.shared().readTree(json).path("text").stringValue()).isEqualTo(draft.text());
		draft.extra().values().forEach((raw) -> {
			assertThat(text).contains(raw);
			assertThat(json).contains(":" + raw);
		});
	}

	@Provide
	Arbitrary<byte[]> bodies() {
		Arbitrary<String> pieces = Arbitraries.oneOf(Arbitraries.of(PIECES),
				Arbitraries.strings().withCharRange('\0', '\u00ff').ofMaxLength(4));
		Arbitrary<Integer> places = Arbitraries.integers().between(0, 100);
		return Combinators.combine(places, pieces, places, pieces, Arbitraries.integers().between(0, 3))
			.as((place, piece, other, more, cut) -> {
				StringBuilder body = new StringBuilder(
						"{\"clientId\":\"c1\",\"text\":\"hi\",\"x\":-1.50e+3,\"y\":[1, 2]}");
				int from = place % body.length();
				body.replace(from, Math.min(body.length(), from + cut), piece);
				body.insert(other % (body.length() + 1), more);
				return body.toString().getBytes(StandardCharsets.ISO_8859_1);
			});
	}

}
