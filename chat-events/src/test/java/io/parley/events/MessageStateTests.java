package io.parley.events;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MessageStateTests {

	private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

	private static final MessageState NEW = MessageState.of(5);

	@Test
	void theLastEditWins() {
		MessageState state = NEW.after(7, edit("b")).after(9, edit("c"));
		assertThat(state).isEqualTo(new MessageState(9, "c", 2, false));
		assertThat(text(state.applyTo(message()))).isEqualTo("c");
	}

	@Test
	void aChangeIsAppliedOnce() {
		MessageState state = NEW.after(7, edit("b")).after(9, edit("c"));
		assertThat(state.after(7, edit("b"))).isSameAs(state);
		assertThat(state.after(9, edit("c"))).isSameAs(state);
		MessageState deleted = state.after(11, delete());
		assertThat(deleted.after(11, delete())).isSameAs(deleted);
	}

	@Test
	void aDeletedMessageStaysDeleted() {
		MessageState state = NEW.after(7, edit("b")).after(9, delete());
		assertThat(state).isEqualTo(new MessageState(9, null, 1, true));
		assertThat(state.after(11, edit("c"))).isSameAs(state);
		assertThat(state.after(12, delete())).isSameAs(state);
	}

	@Test
	void aDeletionThatIsStoredLateCounts() {
		assertThat(NEW.after(9, edit("c")).after(7, delete())).isEqualTo(new MessageState(9, null, 1, true));
	}

	@Test
	void onlyTheLastChangeHasItsContent() {
		MessageState edited = NEW.after(7, edit("b")).after(9, edit("c"));
		assertThat(json(edited.applyTo(edit("b"), 7))).doesNotContain("text").contains("\"superseded\":true");
		assertThat(json(edited.applyTo(edit("c"), 9))).contains("\"text\":\"c\"");
		MessageState deleted = edited.after(11, delete());
		assertThat(json(deleted.applyTo(edit("c"), 9))).doesNotContain("text").contains("\"superseded\":true");
		assertThat(json(deleted.applyTo(delete(), 11))).contains("\"reason\":\"rude\"");
	}

	@Test
	void aSupersededChangeChangesNothing() {
		assertThat(edit("b").superseded().changes()).isFalse();
		assertThat(NEW.after(7, edit("b").superseded())).isSameAs(NEW);
	}

	@Test
	void changesThatCannotBeReadHaveNoEffect() {
		EventRecord damaged = new EventRecord(EventType.MESSAGE_EDITED, EventRecord.CHANGES, "r", "e", "anna", "c", AT,
				5, "\"text\":7}".getBytes(StandardCharsets.UTF_8));
		assertThat(NEW.after(7, damaged)).isSameAs(NEW);
		EventRecord later = new EventRecord(new EventType(77, "poll.changed"), EventRecord.CHANGES, "r", "e", "anna",
				"c", AT, 5, "}".getBytes(StandardCharsets.UTF_8));
		assertThat(NEW.after(7, later)).isSameAs(NEW);
		assertThat(NEW.after(7, edit("b")).applyTo(later, 9)).isSameAs(later);
	}

	@Test
	void whatIsLeftOfADeletedMessage() {
		EventRecord left = message().deleted();
		assertThat(json(left)).isEqualTo("""
				{"type":"message.posted","room":"r","position":5,"prev":3,"id":"m","sender":"anna","clientId":"c",\
				"sentAt":"2026-01-01T00:00:00Z","text":"","deleted":true}""");
		assertThat(left.event()).isInstanceOfSatisfying(MessagePosted.class,
				(message) -> assertThat(message.deleted()).isTrue());
		assertThat(EventRecord.decode(left.encode(RecordFormat.V2)).event()).isEqualTo(left.event());
	}

	@Test
	void recordsKeepTheTarget() {
		for (EventRecord change : new EventRecord[] { edit("b"), delete() }) {
			EventRecord read = EventRecord.decode(change.encode(RecordFormat.V2));
			assertThat(read.target()).isEqualTo(5);
			assertThat(read.changes()).isTrue();
			assertThat(read.counts()).isFalse();
			assertThat(read.event()).isEqualTo(change.event());
			assertThat(change.type().isIn(RecordFormat.V1)).isFalse();
		}
	}

	private static EventRecord message() {
		return EventRecord.of(new MessagePosted("r", "m", "anna", "c", AT, "a", Map.of("own", "1")));
	}

	private static EventRecord edit(String text) {
		return EventRecord.of(new MessageEdited("r", "e", "anna", "c2", AT, 5, text));
	}

	private static EventRecord delete() {
		return EventRecord.of(new MessageDeleted("r", "d", "bert", "c3", AT, 5, "moderator", "rude"));
	}

	private static String text(EventRecord message) {
		return ((MessagePosted) message.event()).text();
	}

	private static String json(EventRecord record) {
		return new String(record.json(5, 3), StandardCharsets.UTF_8);
	}

}
