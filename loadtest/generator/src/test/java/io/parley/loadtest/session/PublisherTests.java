package io.parley.loadtest.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.stomp.LoadMessage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PublisherTests {

	private final List<LoadMessage> sent = new ArrayList<>();

	private final Publisher publisher = new Publisher(List.<Sender>of(this.sent::add), "run", new Measures());

	@Test
	void sendsAtTheSameRandomTimesForASeed() {
		List<Long> first = gaps(7);
		assertThat(first).hasSizeGreaterThan(20).doesNotHaveDuplicates().isEqualTo(gaps(7)).isNotEqualTo(gaps(8));
		assertThat(this.sent).extracting(LoadMessage::sequence).isSorted().doesNotHaveDuplicates();
	}

	/** Returns the times between the messages of 50 ms at 1,000 a second. */
	private List<Long> gaps(long seed) {
		int before = this.sent.size();
		this.publisher.holdAtRandom(1_000, Duration.ofMillis(50), seed);
		List<Long> gaps = new ArrayList<>();
		for (int n = before + 1; n < this.sent.size(); n++) {
			gaps.add(this.sent.get(n).intended() - this.sent.get(n - 1).intended());
		}
		return gaps;
	}

}
