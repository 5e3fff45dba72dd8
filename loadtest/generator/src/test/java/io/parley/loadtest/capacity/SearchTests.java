package io.parley.loadtest.capacity;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

import io.parley.loadtest.capacity.Search.Attempt;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SearchTests {

	private final List<Attempt> attempts = new ArrayList<>();

	@Test
	void goesUpByHalvesThenBisectsThenConfirms() {
		search(new Search(1000, 19_900, 3), (level) -> level <= 2000);
		assertThat(levels()).containsExactly(1000, 1500, 2250, 1875, 2062, 1968, 1968, 1968);
		assertThat(Search.best(this.attempts)).isEqualTo(1968);
		assertThat(Search.firstFailing(this.attempts)).isEqualTo(2062);
	}

	@Test
	void goesDownWhenTheFirstLevelFails() {
		search(new Search(1000, 19_900, 1), (level) -> level <= 500);
		assertThat(Search.best(this.attempts)).isBetween(476, 500);
	}

	@Test
	void confirmsTheCeilingAndEndsThere() {
		search(new Search(1000, 1800, 2), (level) -> true);
		assertThat(levels()).containsExactly(1000, 1500, 1800, 1800);
	}

	@Test
	void looksBelowALevelThatDidNotPassAgain() {
		int[] times = { 0 };
		search(new Search(1000, 1000, 3), (level) -> level < 1000 || times[0]++ < 1);
		assertThat(Search.best(this.attempts)).isBetween(950, 999);
		assertThat(Search.passes(Search.best(this.attempts), this.attempts)).isEqualTo(3);
		assertThat(this.attempts).contains(new Attempt(1000, true), new Attempt(1000, false));
	}

	@Test
	void endsWhenNothingHolds() {
		search(new Search(100, 1000, 3), (level) -> false);
		assertThat(Search.best(this.attempts)).isZero();
		assertThat(levels()).last().isEqualTo(1);
	}

	private void search(Search search, IntPredicate holds) {
		for (int level = search.next(this.attempts); level > 0; level = search.next(this.attempts)) {
			this.attempts.add(new Attempt(level, holds.test(level)));
			assertThat(this.attempts).as("an end").hasSizeLessThan(100);
		}
	}

	private List<Integer> levels() {
		return this.attempts.stream().map(Attempt::level).toList();
	}

}
