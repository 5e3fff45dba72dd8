package io.parley.server.timeline;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.parley.events.EventRecord;
import io.parley.events.MessageDeleted;
import io.parley.events.MessageEdited;
import io.parley.events.MessagePosted;
import io.parley.events.MessageState;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.MessageCopy;
import io.parley.server.timeline.MessageViews.MessageView;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Any order of changes ends in the same state for a client that was cut off and resumed,
 * a new one, and the view.
 */
class MessageStatesTests {

	private static final int MESSAGES = 4;

	/** What is done to a message; it may have been deleted by then. */
	record Change(int message, boolean deletes, String text) {
	}

	@Property
	void allClientsEndInTheStateOfTheView(@ForAll("changes") List<Change> changes, @ForAll("cuts") List<Integer> cuts) {
		List<PositionedEvent> log = log(changes);
		MessageCopy resumed = new MessageCopy();
		int from = 0;
		for (int cut : cuts.stream().sorted().toList()) {
			int to = Math.clamp(cut, from, log.size());
			// A replay of what was missed until then, some of it live.
			int live = from + (to - from) / 2;
			resumed.events(json(feed(log.subList(0, live)).subList(from, live)));
			resumed.events(json(live(log).subList(live, to)));
			from = to;
		}
		resumed.events(json(feed(log).subList(from, log.size())));
		MessageCopy fresh = new MessageCopy().events(json(feed(log)));
		MessageCopy view = new MessageCopy().views(views(log));
		assertThat(resumed.messages()).isEqualTo(fresh.messages()).isEqualTo(view.messages());
		assertThat(resumed.messages()).hasSize(MESSAGES);
	}

	@Property
	void thePageOfAChangedMessageHasNoDeletedText(@ForAll("changes") List<Change> changes) {
		List<PositionedEvent> log = log(changes);
		Set<Integer> deleted = changes.stream()
			.filter(Change::deletes)
			.map(Change::message)
			.collect(Collectors.toSet());
		String feed = json(feed(log)).toString();
		deleted.forEach((message) -> assertThat(feed).doesNotContain("\"text of " + message));
	}

	@Property
	void aFoldInTwoStepsIsAFold(@ForAll("changes") List<Change> changes, @ForAll int split) {
		List<PositionedEvent> log = log(changes);
		int at = Math.floorMod(split, log.size() + 1);
		Map<Long, MessageState> stored = new MessageStates(Map.of(), log.subList(0, at)).all();
		assertThat(new MessageStates(stored, log).all()).isEqualTo(new MessageStates(Map.of(), log).all());
	}

	@Provide
	Arbitrary<List<Change>> changes() {
		return Combinators
			.combine(Arbitraries.integers().between(0, MESSAGES - 1), Arbitraries.integers().between(0, 4),
					Arbitraries.integers())
			.as((message, kind, text) -> new Change(message, kind == 0, "text of " + message + ": " + text))
			.list()
			.ofMaxSize(30);
	}

	@Provide
	Arbitrary<List<Integer>> cuts() {
		return Arbitraries.integers().between(0, 40).list().ofMaxSize(5);
	}

	/** The records as they are in the log: checks before the append may have crossed. */
	private static List<PositionedEvent> log(List<Change> changes) {
		List<PositionedEvent> log = new ArrayList<>();
		for (int i = 0; i < MESSAGES; i++) {
			log.add(event(log.size(),
					new MessagePosted("r", "m" + i, "anna", "m" + i, Instant.EPOCH, "text of " + i, Map.of())));
		}
		for (Change change : changes) {
			String id = "c" + log.size();
			long target = position(change.message());
			log.add(event(log.size(),
					change.deletes() ? new MessageDeleted("r", id, "anna", id, Instant.EPOCH, target, "author", null)
							: new MessageEdited("r", id, "anna", id, Instant.EPOCH, target, change.text())));
		}
		return log;
	}

	private static long position(int index) {
		return 10 * (index + 1);
	}

	private static PositionedEvent event(int index, io.parley.events.RoomEvent event) {
		return new PositionedEvent(position(index), position(index - 1), EventRecord.of(event));
	}

	/** The events as the tail passes them on. */
	private static List<PositionedEvent> live(List<PositionedEvent> log) {
		Set<Long> deleted = new HashSet<>();
		List<PositionedEvent> live = new ArrayList<>();
		for (PositionedEvent event : log) {
			boolean overtaken = deleted.contains(event.record().target());
			live.add(overtaken ? event.with(event.record().superseded()) : event);
			if (event.record().event() instanceof MessageDeleted deletion) {
				deleted.add(deletion.target());
			}
		}
		return live;
	}

	private static List<PositionedEvent> feed(List<PositionedEvent> log) {
		return new MessageStates(Map.of(), log).applyTo(log);
	}

	private static List<JsonNode> views(List<PositionedEvent> log) {
		MessageStates states = new MessageStates(Map.of(), log);
		return feed(log).stream().filter((event) -> !event.isChange()).map((event) -> {
			MessageState state = states.of(event.position());
			return ChatApi.JSON.readTree(new MessageView(new NumberedEvent(event, 1L),
					(state != null) ? state : MessageState.of(event.position()))
				.json());
		}).toList();
	}

	private static List<JsonNode> json(List<PositionedEvent> events) {
		return events.stream().map((event) -> ChatApi.JSON.readTree(event.json())).toList();
	}

}
