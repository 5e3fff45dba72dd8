package io.parley.events;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
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
		MessageState deleted = NEW.after(9, edit("c")).after(7, delete());
		assertThat(deleted).isEqualTo(new MessageState(9, null, 1, true, 7, 0, Map.of()));
		assertThat(json(deleted.applyTo(delete(), 7))).contains("\"reason\":\"rude\"");
		assertThat(json(deleted.applyTo(edit("c"), 9))).contains("\"superseded\":true");
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
	void aUserGivesAReactionOnce() {
		Set<Reaction> given = new HashSet<>();
		MessageState state = NEW.after(7, reactions(on("anna"), on("bert"), on("anna")), given);
		assertThat(state.counts()).isEqualTo(Map.of(":a:", 2));
		assertThat(state.changed()).isEqualTo(7);
		MessageState repeated = state.after(9, reactions(on("anna"), off("cleo")), given);
		assertThat(repeated.counts()).isEqualTo(Map.of(":a:", 2));
		assertThat(repeated.reacted()).isEqualTo(9);
		assertThat(repeated.after(9, reactions(off("anna")), given)).isSameAs(repeated);
		MessageState none = repeated.after(11, reactions(off("anna"), off("bert"), off("bert")), given);
		assertThat(none.counts()).isEmpty();
		assertThat(given).isEmpty();
	}

	@Test
	void editsAndReactionsKeepEachOther() {
		MessageState state = NEW.after(7, edit("b")).after(9, reactions(on("anna")));
		assertThat(json(state.applyTo(edit("b"), 7))).contains("\"text\":\"b\"");
		assertThat(json(state.applyTo(reactions(on("anna")), 9))).contains("\"counts\"");
		assertThat(text(state.applyTo(message()))).isEqualTo("b");
		MessageState edited = state.after(11, edit("c"));
		assertThat(edited.counts()).isEqualTo(Map.of(":a:", 1));
		assertThat(json(edited.applyTo(reactions(on("anna")), 9))).contains("\"counts\"");
		assertThat(json(edited.applyTo(reactions(on("anna")), 8))).contains("\"superseded\":true")
			.doesNotContain("counts", "clientId", "anna\",\"key");
		MessageState deleted = edited.after(13, delete());
		assertThat(deleted).isEqualTo(new MessageState(13, null, 2, true));
		assertThat(deleted.after(15, reactions(on("bert")))).isSameAs(deleted);
		assertThat(json(deleted.applyTo(reactions(on("anna")), 9))).contains("\"superseded\":true");
	}

	@Test
	void clientsGetTenOfManyChanges() {
		List<Reaction.Change> changes = IntStream.range(0, 12).mapToObj((i) -> on("user" + i)).toList();
		EventRecord record = EventRecord.of(new ReactionChanged("r", "e", "user0", AT, 5, Map.of(":a:", 12), changes));
		assertThat(json(record)).startsWith("""
				{"type":"reaction.changed","room":"r","position":5,"prev":3,"id":"e","sender":"user0",\
				"sentAt":"2026-01-01T00:00:00Z","target":5,"counts":{":a:":12},\
				"by":[{"user":"user0","key":":a:","on":true},""")
			.contains("\"user9\"")
			.doesNotContain("user10")
			.endsWith("],\"more\":2}");
		EventRecord read = EventRecord.decode(record.encode(RecordFormat.V2));
		assertThat(read.event()).isEqualTo(record.event());
		assertThat(read.reactionChanges()).isEqualTo(changes);
		assertThat(read.superseded().reactionChanges()).isEmpty();
		assertThat(NEW.after(7, read).counts()).isEqualTo(Map.of(":a:", 12));
	}

	@Test
	void factsThatCannotBeReadChangeNothing() {
		EventRecord damaged = new EventRecord(EventType.REACTION_CHANGED, EventRecord.CHANGES, "r", "e", "anna", null,
				AT, 5, 0, "[[7]]".getBytes(StandardCharsets.UTF_8), "}".getBytes(StandardCharsets.UTF_8));
		assertThat(damaged.reactionChanges()).isEmpty();
		assertThat(NEW.after(7, damaged).counts()).isEmpty();
	}

	@Test
	void countsKeepTheirOrderAsJson() {
		MessageState state = NEW.after(7,
				reactions(on("anna"), new Reaction.Change(new Reaction("anna", "\ud83d\udc4d"), true)));
		assertThat(state.countsJson()).isEqualTo("{\":a:\":1,\"\ud83d\udc4d\":1}");
		assertThat(MessageState.parseCounts(state.countsJson()).entrySet().stream().toList())
			.isEqualTo(state.counts().entrySet().stream().toList());
		assertThat(MessageState.parseCounts(null)).isEmpty();
	}

	@Test
	void theViewHasTheReactions() {
		MessageState state = NEW.after(7, reactions(on("anna")));
		assertThat(
				new String(message().json(5, 3, 1L, state, Map.of(":a:", new ReactionView(1, true, List.of("anna")))),
						StandardCharsets.UTF_8))
			.contains("""
					"changed":7,"reactions":{":a:":{"n":1,"mine":true,"users":["anna"]}},"id":"m\"""");
	}

	@Test
	void aReplyChangesItsRoot() {
		MessageState state = NEW.afterReply(7, reply("bert"))
			.afterReply(9, reply("cleo"))
			.afterReply(11, reply("bert"));
		assertThat(state.changed()).isEqualTo(11);
		assertThat(state.thread()).isEqualTo(new ThreadState(3, 0, 11, List.of("bert", "cleo")));
		assertThat(state.edits()).isZero();
		MessageState deleted = state.afterDeletedReply(13);
		assertThat(deleted.changed()).isEqualTo(13);
		assertThat(deleted.thread().replies()).isEqualTo(2);
		assertThat(new String(message().json(5, 3, 1L, deleted, Map.of()), StandardCharsets.UTF_8)).contains("""
				"changed":13,"thread":{"replies":2,"lastPosition":11,"users":["bert","cleo"]},"id":"m\"""");
	}

	@Test
	void fiveUsersOfAThreadAreNamed() {
		MessageState state = NEW;
		for (int i = 0; i < 7; i++) {
			state = state.afterReply(7 + i, reply("user" + i));
		}
		assertThat(state.thread().users()).containsExactly("user6", "user5", "user4", "user3", "user2");
	}

	@Test
	void aDeletedRootKeepsItsThread() {
		MessageState state = NEW.afterReply(7, reply("bert"))
			.after(9, edit("b"))
			.after(11, delete())
			.afterReply(13, reply("cleo"));
		assertThat(state.deleted()).isTrue();
		assertThat(state.changed()).isEqualTo(13);
		assertThat(state.thread()).isEqualTo(new ThreadState(2, 0, 13, List.of("cleo", "bert")));
		assertThat(json(state.applyTo(delete(), 11))).contains("\"reason\":\"rude\"");
		assertThat(json(state.applyTo(edit("b"), 9))).contains("\"superseded\":true");
		assertThat(
				new MessageState(9, null, 0, true, 0, 0, Map.of()).afterReply(13, reply("cleo")).applyTo(delete(), 9))
			.as("stored by an earlier version")
			.matches(EventRecord::changes);
	}

	@Test
	void changesOfAReplyNameTheirThread() {
		EventRecord edit = EventRecord.of(new MessageEdited("r", "e", "anna", "c2", AT, 7, "b", 5));
		EventRecord delete = EventRecord.of(new MessageDeleted("r", "d", "bert", "c3", AT, 7, "author", null, 5));
		EventRecord react = EventRecord
			.of(new ReactionChanged("r", "e", "anna", AT, 7, Map.of(":a:", 1), List.of(on("anna")), 5));
		for (EventRecord change : new EventRecord[] { edit, delete, react }) {
			EventRecord read = EventRecord.decode(change.encode(RecordFormat.V2));
			assertThat(read.event()).isEqualTo(change.event());
			assertThat(read.thread()).isEqualTo(5);
			assertThat(read.countsInThread()).isFalse();
			assertThat(json(read)).contains("\"target\":7,\"thread\":5");
			assertThat(json(read.superseded())).contains("\"target\":7,\"thread\":5");
			assertThat(MessageState.of(7).after(9, read).root()).isEqualTo(5);
		}
		assertThat(delete.deletesReply()).isTrue();
		assertThat(delete.superseded().deletesReply()).isFalse();
		assertThat(edit.deletesReply()).isFalse();
		assertThat(delete().deletesReply()).isFalse();
		assertThat(delete().deletesMessage()).isTrue();
		assertThat(delete().superseded().deletesMessage()).isFalse();
		assertThat(edit.deletesMessage()).isFalse();
	}

	@Test
	void recordsKeepThreadAndReply() {
		MessagePosted reply = new MessagePosted("r", "m", "anna", "c", AT, "a", Map.of("own", "1"), false, 4,
				new MessagePosted.InThread(5, "bert"));
		EventRecord record = EventRecord.decode(EventRecord.of(reply).encode(RecordFormat.V2));
		assertThat(record.event()).isEqualTo(reply);
		assertThat(record.type()).isSameAs(EventType.THREAD_POSTED);
		assertThat(record.counts()).isFalse();
		assertThat(record.countsInThread()).isTrue();
		assertThat(record.threadAuthor()).isEqualTo("bert");
		assertThat(record.type().isIn(RecordFormat.V1)).isFalse();
		assertThat(json(record)).isEqualTo("""
				{"type":"thread.posted","room":"r","position":5,"prev":3,"id":"m","sender":"anna","clientId":"c",\
				"sentAt":"2026-01-01T00:00:00Z","thread":5,"replyTo":4,"text":"a","own":1}""");
		assertThat(json(record.withContent("b", null))).contains("\"thread\":5,\"replyTo\":4,\"text\":\"b\"");
		assertThat(json(record.deleted())).contains("thread.posted", "\"thread\":5,\"text\":\"\",\"deleted\":true");
		EventRecord answer = EventRecord
			.of(new MessagePosted("r", "m", "anna", "c", AT, "a", Map.of(), false, 4, null));
		for (RecordFormat format : RecordFormat.values()) {
			EventRecord read = EventRecord.decode(answer.encode(format));
			assertThat(read.event()).isEqualTo(answer.event());
			assertThat(read.counts()).isTrue();
		}
	}

	@Test
	void recordsKeepTheTarget() {
		for (EventRecord change : new EventRecord[] { edit("b"), delete(), reactions(on("anna"), off("bert")) }) {
			EventRecord read = EventRecord.decode(change.encode(RecordFormat.V2));
			assertThat(read.target()).isEqualTo(5);
			assertThat(read.changes()).isTrue();
			assertThat(read.counts()).isFalse();
			assertThat(read.event()).isEqualTo(change.event());
			assertThat(change.type().isIn(RecordFormat.V1)).isFalse();
		}
	}

	@Test
	void theLastEditSaysWhomTheMessageMentions() {
		EventRecord message = EventRecord.of(new MessagePosted("r", "m", "anna", "c", AT, "a", Map.of("own", "1"),
				false, 0, null, Mentions.of("bert")));
		Mentions all = new Mentions(List.of("bert", "cleo"), List.of("owners"), true);
		MessageState state = MessageState.of(5).after(7, edit("b", all, Mentions.of("bert")));
		assertThat(state.mentions()).isEqualTo(all);
		assertThat(json(state.applyTo(message))).contains("\"text\":\"b\",\"mentions\":{\"users\":[\"bert\",\"cleo\"],"
				+ "\"groups\":[\"owners\"],\"room\":true},\"own\":1");
		assertThat(state.after(9, edit("c", null, null)).applyTo(message).mentions()).isNull();
		assertThat(state.after(9, edit("c", Mentions.NONE, null)).applyTo(message).mentions()).isEqualTo(Mentions.NONE);
		assertThat(state.after(9, delete()).mentions()).isNull();
		assertThat(state.after(9, delete()).applyTo(message).mentions()).isNull();
		assertThat(MessageState.of(5).applyTo(message).mentions()).isEqualTo(Mentions.of("bert"));
	}

	@Test
	void onlyServersKnowWhomAMessageMentionedBeforeAnEdit() {
		EventRecord edit = EventRecord
			.decode(edit("b", Mentions.of("cleo"), Mentions.of("bert")).encode(RecordFormat.V2));
		assertThat(edit.mentions()).isEqualTo(Mentions.of("cleo"));
		assertThat(edit.mentionedBefore()).isEqualTo(Mentions.of("bert"));
		assertThat(json(edit)).doesNotContain("bert");
		assertThat(edit.superseded().mentions()).isNull();
		assertThat(edit.superseded().mentionedBefore()).isNull();
	}

	@Test
	void theLastChangeOfThePinWins() {
		MessageState state = NEW.after(7, pin(true));
		assertThat(state.pin()).isEqualTo(new PinState(7, true));
		assertThat(state.changed()).isEqualTo(7);
		assertThat(state.after(7, pin(true))).isSameAs(state);
		MessageState edited = state.after(9, edit("b")).after(10, reactions(on("anna"))).afterReply(11, reply("bert"));
		assertThat(edited.pin()).isEqualTo(state.pin());
		assertThat(json(edited.applyTo(pin(true), 7))).contains("\"on\":true").doesNotContain("superseded");
		assertThat(view(edited)).contains("\"changed\":11,\"edited\":true,\"pinned\":true,");
		MessageState ended = edited.after(13, pin(false));
		assertThat(ended.pin()).isEqualTo(new PinState(13, false));
		assertThat(ended.text()).isEqualTo("b");
		assertThat(view(ended)).doesNotContain("pinned");
		assertThat(json(ended.applyTo(pin(true), 7))).contains("\"superseded\":true").doesNotContain("\"on\"");
		assertThat(json(ended.applyTo(edit("b"), 9))).contains("\"text\":\"b\"");
		assertThat(ended.after(12, pin(true))).as("stored late").isSameAs(ended);
	}

	@Test
	void aDeletedMessageIsNotPinned() {
		MessageState deleted = NEW.after(7, pin(true)).after(9, delete());
		assertThat(deleted).isEqualTo(new MessageState(9, null, 0, true));
		assertThat(deleted.after(11, pin(true))).isSameAs(deleted);
		assertThat(json(deleted.applyTo(pin(true), 7))).contains("\"superseded\":true");
		assertThat(json(deleted.applyTo(pin(true), 11))).contains("\"superseded\":true");
		assertThat(view(deleted)).doesNotContain("pinned");
	}

	@Test
	void recordsKeepPinsAndChangesOfTheRoom() {
		EventRecord pin = EventRecord
			.decode(EventRecord.of(new PinChanged("r", "e", "anna", null, AT, 7, true, 5)).encode(RecordFormat.V2));
		assertThat(pin.event()).isEqualTo(new PinChanged("r", "e", "anna", null, AT, 7, true, 5));
		assertThat(pin.changes()).isTrue();
		assertThat(pin.counts() || pin.countsInThread() || pin.deletesReply()).isFalse();
		assertThat(json(pin)).endsWith("\"target\":7,\"thread\":5,\"on\":true}");
		assertThat(MessageState.of(7).after(9, pin).root()).isEqualTo(5);
		RoomChanged changed = new RoomChanged("r", "e", "anna", AT, "New name", "", 30, false);
		EventRecord room = EventRecord.decode(EventRecord.of(changed).encode(RecordFormat.V2));
		assertThat(room.event()).isEqualTo(changed);
		assertThat(room.flags()).isZero();
		assertThat(json(room)).endsWith("\"name\":\"New name\",\"topic\":\"\",\"slowMode\":30,\"memberPins\":false}");
		assertThat(json(EventRecord.of(new RoomChanged("r", "e", "anna", AT, null, null, 0, null))))
			.endsWith("\"sentAt\":\"2026-01-01T00:00:00Z\",\"slowMode\":0}");
		assertThat(pin.type().isIn(RecordFormat.V1) || room.type().isIn(RecordFormat.V1)).isFalse();
	}

	@Test
	void aPinThatCannotBeReadHasNoEffect() {
		EventRecord damaged = new EventRecord(EventType.PIN_CHANGED, EventRecord.CHANGES, "r", "e", "anna", null, AT, 5,
				"\"on\":\"yes\"}".getBytes(StandardCharsets.UTF_8));
		assertThat(NEW.after(7, damaged)).isSameAs(NEW);
	}

	private static EventRecord pin(boolean on) {
		return EventRecord.of(new PinChanged("r", "e", "anna", "c4", AT, 5, on, 0));
	}

	private static String view(MessageState state) {
		return new String(state.applyTo(message()).json(5, 3, 1L, state, Map.of()), StandardCharsets.UTF_8);
	}

	private static EventRecord edit(String text, @Nullable Mentions mentions, @Nullable Mentions before) {
		return EventRecord.of(new MessageEdited("r", "e", "anna", "c2", AT, 5, text, 0, mentions, before));
	}

	private static EventRecord message() {
		return EventRecord.of(new MessagePosted("r", "m", "anna", "c", AT, "a", Map.of("own", "1")));
	}

	private static EventRecord reply(String sender) {
		return EventRecord.of(new MessagePosted("r", "p", sender, "c", AT, "a", Map.of(), false, 0,
				new MessagePosted.InThread(5, "anna")));
	}

	private static EventRecord edit(String text) {
		return EventRecord.of(new MessageEdited("r", "e", "anna", "c2", AT, 5, text));
	}

	private static EventRecord delete() {
		return EventRecord.of(new MessageDeleted("r", "d", "bert", "c3", AT, 5, "moderator", "rude"));
	}

	private static Reaction.Change on(String user) {
		return new Reaction.Change(new Reaction(user, ":a:"), true);
	}

	private static Reaction.Change off(String user) {
		return new Reaction.Change(new Reaction(user, ":a:"), false);
	}

	private static EventRecord reactions(Reaction.Change... changes) {
		return EventRecord.of(new ReactionChanged("r", "e", "anna", AT, 5, Map.of(":a:", 1), List.of(changes)));
	}

	private static String text(EventRecord message) {
		return ((MessagePosted) message.event()).text();
	}

	private static String json(EventRecord record) {
		return new String(record.json(5, 3), StandardCharsets.UTF_8);
	}

}
