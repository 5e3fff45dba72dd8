package io.parley.loadtest.judge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.judge.History.Event;
import io.parley.loadtest.judge.Received.Reset;
import io.parley.loadtest.judge.Received.Shown;
import io.parley.loadtest.judge.Received.Started;
import io.parley.loadtest.judge.Verdict.Wrong;
import org.jspecify.annotations.Nullable;

/**
 * Compares files of clients with the history of a room.
 */
final class Judge {

	private final History history;

	private final long after;

	/**
	 * Creates a judge.
	 * @param after what is not after this position need not be shown or sent
	 */
	Judge(History history, long after) {
		this.history = history;
		this.after = after;
	}

	/**
	 * Returns a verdict for each file. Messages of a sender that are in none of the files
	 * with messages of that sender are invented.
	 * @throws LoadTestException when a client id belongs to messages of several senders
	 */
	List<Verdict> sent(List<Sent> files) {
		List<Verdict> verdicts = new ArrayList<>();
		Map<String, Verdict> senders = new HashMap<>();
		Set<Long> known = new HashSet<>();
		for (Sent file : files) {
			Verdict verdict = new Verdict(file.file().toString(), "sent");
			verdicts.add(verdict);
			sent(file, verdict, senders, known);
		}
		for (Event event : this.history.all()) {
			Verdict verdict = senders.get(event.sender());
			if (verdict != null && event.message() && event.position() > this.after
					&& !known.contains(event.position())) {
				verdict.add(Wrong.INVENTED, "the history has %s, which was not sent", event);
			}
		}
		return verdicts;
	}

	private void sent(Sent file, Verdict verdict, Map<String, Verdict> senders, Set<Long> known) {
		Event last = null;
		int unanswered = 0;
		for (Sent.Message message : file.messages()) {
			verdict.message();
			unanswered += message.accepted() ? 0 : 1;
			List<Event> found = found(file, message);
			found.forEach((event) -> known.add(event.position()));
			if (found.isEmpty()) {
				if (message.accepted()) {
					verdict.add(Wrong.LOST, "line %d: \"%s\" was accepted and is not in the history", message.line(),
							message.clientId());
				}
				continue;
			}
			Event first = found.getFirst();
			senders.putIfAbsent(first.sender(), verdict);
			if (found.size() > 1) {
				verdict.add(Wrong.DOUBLED, "line %d: the history has %s and %s", message.line(), first, found.get(1));
			}
			if (!first.has(message.content())) {
				verdict.add(Wrong.INVENTED, "line %d: the history has another text of %s", message.line(), first);
			}
			if (last != null && first.position() < last.position()) {
				verdict.add(Wrong.DISORDERED, "line %d: %s was sent after %s", message.line(), first, last);
			}
			else {
				last = first;
			}
		}
		verdict.note(unanswered, "not accepted");
	}

	private List<Event> found(Sent file, Sent.Message message) {
		List<Event> found = this.history.messages(message.clientId(), message.sender());
		if (found.stream().map(Event::sender).distinct().count() > 1) {
			throw new LoadTestException(
					"%s:%d: several users sent a message with the client id \"%s\": add \"sender\" to each line."
						.formatted(file.file(), message.line(), message.clientId()));
		}
		return found;
	}

	/**
	 * Returns the verdict for what a client showed.
	 */
	Verdict received(Received file) {
		Verdict verdict = new Verdict(file.file().toString(), "received");
		Viewer viewer = new Viewer(verdict);
		file.steps().forEach((step) -> {
			switch (step) {
				case Started started -> viewer.restarted = true;
				case Reset reset -> viewer.reset();
				case Shown shown when shown.position() > this.after -> viewer.show(shown);
				case Shown before -> viewer.before++;
			}
		});
		viewer.end();
		return verdict;
	}

	/**
	 * What the user of a client sees.
	 */
	private final class Viewer {

		private final Verdict verdict;

		/** Positions of the history that were ever shown. */
		private final Set<Long> ever = new HashSet<>();

		/** Those of the current view. */
		private final Set<Long> current = new HashSet<>();

		private final Set<Long> skipped = new HashSet<>();

		private long highest;

		/** The end of the view before; -1 unless a view begins. */
		private long skipAfter = -1;

		private boolean restarted;

		private int again;

		private int resets;

		private int before;

		private Viewer(Verdict verdict) {
			this.verdict = verdict;
		}

		private void reset() {
			this.resets++;
			this.skipAfter = Math.max(this.skipAfter, this.highest);
			this.highest = 0;
			this.current.clear();
		}

		private void show(Shown shown) {
			Event event = event(shown);
			if (event == null) {
				this.verdict.message();
				this.verdict.add(Wrong.INVENTED, "line %d: the history has no such event at position %d", shown.line(),
						shown.position());
				return;
			}
			if (this.restarted && this.current.contains(event.position())) {
				this.again++;
				return;
			}
			this.verdict.message();
			this.restarted = false;
			if (!event.has(shown.content())) {
				this.verdict.add(Wrong.INVENTED, "line %d: another text of %s", shown.line(), event);
			}
			if (this.skipAfter >= 0) {
				this.skipped.addAll(Judge.this.history.between(this.skipAfter, event.position()));
				this.skipAfter = -1;
			}
			if (!this.current.add(event.position())) {
				this.verdict.add(Wrong.DOUBLED, "line %d: %s once more", shown.line(), event);
			}
			else if (shown.position() < this.highest) {
				this.verdict.add(Wrong.DISORDERED, "line %d: %s came after position %d", shown.line(), event,
						this.highest);
			}
			this.ever.add(event.position());
			this.highest = Math.max(this.highest, shown.position());
		}

		/**
		 * Returns the event of the history. A message that was sent again to a server
		 * that had forgotten it is delivered at a second position, too.
		 */
		private @Nullable Event event(Shown shown) {
			Event event = Judge.this.history.at(shown.position());
			if (event != null) {
				boolean same = event.isBy(shown.sender())
						&& (shown.clientId() == null || event.clientId().equals(shown.clientId()));
				return same ? event : null;
			}
			List<Event> others = (shown.clientId() != null)
					? Judge.this.history.messages(shown.clientId(), shown.sender()) : List.of();
			return (others.size() == 1) ? others.getFirst() : null;
		}

		private void end() {
			int left = 0;
			for (Event event : Judge.this.history.all()) {
				if (event.required() && event.position() > Judge.this.after && !this.ever.contains(event.position())) {
					if (this.skipped.contains(event.position())) {
						left++;
					}
					else {
						this.verdict.add(Wrong.LOST, "%s was never shown", event);
					}
				}
			}
			this.verdict.note(this.again, "again after a start");
			this.verdict.note(this.resets, "begun anew");
			this.verdict.note(left, "left out by that");
			this.verdict.note(this.before, "not judged");
		}

	}

}
