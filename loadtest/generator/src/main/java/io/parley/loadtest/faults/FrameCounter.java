package io.parley.loadtest.faults;

import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

import io.parley.loadtest.faults.Rule.Frames;

/**
 * Counts the frames of one WebSocket, for the rules that wait for a number of them.
 */
final class FrameCounter {

	private static final long NEVER = -1;

	private final List<Due> dues;

	private final Consumer<Action> whenDue;

	private static final class Due {

		private final Rule rule;

		private final Frames frames;

		private final Random random;

		private long left;

		private Due(Rule rule, Frames frames, Random random) {
			this.rule = rule;
			this.frames = frames;
			this.random = random;
			this.left = frames.count().pick(random);
		}

	}

	FrameCounter(List<Rule> rules, Random random, Consumer<Action> whenDue) {
		this.whenDue = whenDue;
		this.dues = rules.stream()
			.filter((rule) -> rule.when() instanceof Frames)
			.map((rule) -> new Due(rule, (Frames) rule.when(), new Random(random.nextLong())))
			.toList();
	}

	/**
	 * Counts a frame to that side. Each side has one thread.
	 */
	void count(Side to) {
		for (Due due : this.dues) {
			if (due.frames.to() == to && due.left != NEVER && --due.left == 0) {
				due.left = due.rule.repeated() ? due.frames.count().pick(due.random) : NEVER;
				this.whenDue.accept(due.rule.action());
			}
		}
	}

}
