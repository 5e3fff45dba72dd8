package io.parley.loadtest.judge;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What is wrong with one file.
 */
final class Verdict {

	private static final int EXAMPLES = 5;

	private final String file;

	private final String kind;

	private final Map<Wrong, Integer> counts = new EnumMap<>(Wrong.class);

	private final Map<Wrong, List<String>> examples = new EnumMap<>(Wrong.class);

	private final List<String> notes = new ArrayList<>();

	private int messages;

	/** What can be wrong with a message. */
	enum Wrong {

		/** It is missing. */
		LOST,
		/** It is there more than once. */
		DOUBLED,
		/** It came after a later one. */
		DISORDERED,
		/** Nobody sent it so. */
		INVENTED

	}

	Verdict(String file, String kind) {
		this.file = file;
		this.kind = kind;
	}

	void message() {
		this.messages++;
	}

	void add(Wrong wrong, String example, Object... arguments) {
		this.counts.merge(wrong, 1, Integer::sum);
		List<String> some = this.examples.computeIfAbsent(wrong, (one) -> new ArrayList<>());
		if (some.size() < EXAMPLES) {
			// Ids are chosen by other users, and a terminal obeys control characters.
			some.add(example.formatted(arguments).replaceAll("\\p{Cntrl}", "?"));
		}
	}

	void note(long count, String what) {
		if (count > 0) {
			this.notes.add("%,d %s".formatted(count, what));
		}
	}

	int of(Wrong wrong) {
		return this.counts.getOrDefault(wrong, 0);
	}

	boolean isClean() {
		return this.counts.isEmpty();
	}

	List<Object> row() {
		return List.of(this.file, this.kind, this.messages, of(Wrong.LOST), of(Wrong.DOUBLED), of(Wrong.DISORDERED),
				of(Wrong.INVENTED), String.join(", ", this.notes));
	}

	/**
	 * Returns the first examples of each kind, for people.
	 */
	List<String> examples() {
		List<String> lines = new ArrayList<>();
		this.examples.forEach((wrong, some) -> {
			some.forEach((example) -> lines.add(wrong + " in " + this.file + ": " + example));
			if (of(wrong) > some.size()) {
				lines.add("… and %,d more".formatted(of(wrong) - some.size()));
			}
		});
		return lines;
	}

}
