package io.parley.server.timeline;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.parley.events.EventRecord;
import io.parley.events.MessageDeleted;
import io.parley.events.MessageEdited;
import io.parley.events.MessagePosted;
import io.parley.events.MessageState;
import io.parley.events.Reaction;
import io.parley.events.ReactionChanged;
import io.parley.events.ReactionView;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.MessageCopy;
import io.parley.server.timeline.MessageViews.MessageView;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Any order of changes ends in the same state for a client that was cut off and resumed,
 * a new one, and the view.
 */
class PartitionMessageStatesTests {

	private static final int MESSAGES = 4;

	/** A change of a message; it may have been deleted by then. */
	sealed interface Change {

		int message();

		record Edit(int message, String text) implements Change {
		}

		record Delete(int message) implements Change {
		}

		/** Also without effect, as when the same user reacts on two servers. */
		record React(int message, List<Reaction.Change> changes) implements Change {
		}

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
			.filter(Change.Delete.class::isInstance)
			.map(Change::message)
			.collect(Collectors.toSet());
		String feed = json(feed(log)).toString();
		deleted.forEach((message) -> assertThat(feed).doesNotContain("\"text of " + message));
	}

	@Property
	void aFoldInTwoStepsIsAFold(@ForAll("changes") List<Change> changes, @ForAll int split) {
		List<PositionedEvent> log = log(changes);
		int at = Math.floorMod(split, log.size() + 1);
		Map<Long, MessageState> stored = new PartitionMessageStates(Map.of(), log.subList(0, at)).all();
		assertThat(new PartitionMessageStates(stored, log).all())
			.isEqualTo(new PartitionMessageStates(Map.of(), log).all());
	}

	/** Some changes are stored already, but not when the reactions were read. */
	@Property
	void theFoldOfStoredAndOtherReactionsIsExact(@ForAll("changes") List<Change> changes, @ForAll int first,
			@ForAll int second) {
		List<PositionedEvent> log = log(changes);
		int readReactions = Math.floorMod(first, log.size() + 1);
		int readStates = readReactions + Math.floorMod(second, log.size() + 1 - readReactions);
		PartitionMessageStates before = new PartitionMessageStates(Map.of(), log.subList(0, readReactions));
		Map<Long, Set<Reaction>> given = new HashMap<>();
		PartitionMessageStates.reactions(log)
			.keySet()
			.forEach((message) -> given.put(message, new HashSet<>(before.given(message))));
		Map<Long, MessageState> stored = new PartitionMessageStates(Map.of(), log.subList(0, readStates)).all();
		PartitionMessageStates whole = new PartitionMessageStates(Map.of(), log);
		PartitionMessageStates folded = new PartitionMessageStates(stored, given,
				log.subList(readReactions, log.size()));
		assertThat(folded.all()).isEqualTo(whole.all());
		whole.all()
			.forEach((message, state) -> assertThat(state.deleted() ? Map.of() : counts(folded.given(message)))
				.isEqualTo(state.counts()));
	}

	private static Map<String, Integer> counts(Set<Reaction> given) {
		Map<String, Integer> counts = new HashMap<>();
		given.forEach((reaction) -> counts.merge(reaction.key(), 1, Integer::sum));
		return counts;
	}

	@Provide
	Arbitrary<List<Change>> changes() {
		Arbitrary<Integer> message = Arbitraries.integers().between(0, MESSAGES - 1);
		Arbitrary<Change> edit = Combinators.combine(message, Arbitraries.integers())
			.as((target, text) -> new Change.Edit(target, "text of " + target + ": " + text));
		Arbitrary<Change> delete = message.map(Change.Delete::new);
		Arbitrary<Reaction.Change> reaction = Combinators
			.combine(Arbitraries.of("anna", "bert"), Arbitraries.of("\ud83d\udc4d", ":party:"),
					Arbitraries.of(true, false))
			.as((user, key, on) -> new Reaction.Change(new Reaction(user, key), on));
		Arbitrary<Change> react = Combinators.combine(message, reaction.list().ofMaxSize(3)).as(Change.React::new);
		return Arbitraries.frequencyOf(Tuple.of(3, edit), Tuple.of(1, delete), Tuple.of(4, react)).list().ofMaxSize(30);
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
			log.add(event(log.size(), switch (change) {
				case Change.Delete delete ->
					new MessageDeleted("r", id, "anna", id, Instant.EPOCH, target, "author", null);
				case Change.Edit edit -> new MessageEdited("r", id, "anna", id, Instant.EPOCH, target, edit.text());
				case Change.React react -> new ReactionChanged("r", id, "anna", Instant.EPOCH, target,
						countsAfter(log, target, react.changes()), react.changes());
			}));
		}
		return log;
	}

	/** The counts that a server writes after it has read the log. */
	private static Map<String, Integer> countsAfter(List<PositionedEvent> log, long target,
			List<Reaction.Change> changes) {
		Set<Reaction> given = new LinkedHashSet<>(new PartitionMessageStates(Map.of(), log).given(target));
		changes.forEach((change) -> change.applyTo(given));
		return counts(given);
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
		return new PartitionMessageStates(Map.of(), log).applyTo(log);
	}

	private static List<JsonNode> views(List<PositionedEvent> log) {
		PartitionMessageStates states = new PartitionMessageStates(Map.of(), log);
		return feed(log).stream().filter((event) -> !event.isChange()).map((event) -> {
			MessageState state = states.of(event.position());
			return ChatApi.JSON.readTree(new MessageView(new NumberedEvent(event, 1L),
					(state != null) ? state : MessageState.of(event.position()), reactions(state))
				.json());
		}).toList();
	}

	private static Map<String, ReactionView> reactions(@Nullable MessageState state) {
		Map<String, ReactionView> reactions = new HashMap<>();
		if (state != null) {
			state.counts().forEach((key, count) -> reactions.put(key, new ReactionView(count, false, List.of())));
		}
		return reactions;
	}

	private static List<JsonNode> json(List<PositionedEvent> events) {
		return events.stream().map((event) -> ChatApi.JSON.readTree(event.json())).toList();
	}

}
