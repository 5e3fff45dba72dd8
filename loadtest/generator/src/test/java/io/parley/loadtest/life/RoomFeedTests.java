package io.parley.loadtest.life;

import java.util.List;

import io.parley.loadtest.check.RoomLedger;
import io.parley.loadtest.check.SubscriptionCheck.Verdict;
import io.parley.loadtest.life.RoomFeed.Event;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.stomp.LoadMessage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RoomFeedTests {

	private final RoomLedger ledger = new RoomLedger("r");

	private final LifeMeasures measures = new LifeMeasures(new Measures());

	private final RoomFeed feed = new RoomFeed(this.ledger, this.measures, 10L, 8);

	private static Event event(long position, long prev) {
		return new Event(position, prev, new LoadMessage("run", position, System.nanoTime()), false);
	}

	@Test
	void isLiveWhenAllUpToTheHeadHasArrived() {
		assertThat(this.feed.resume()).isEqualTo(10);
		assertThat(this.feed.isLive()).isFalse();
		assertThat(this.feed.subscribed(12, true)).isFalse();
		assertThat(this.feed.isLive()).isFalse();
		this.feed.event(event(12, 10));
		assertThat(this.feed.isLive()).isTrue();
		assertThat(this.measures.replayed.sum()).isEqualTo(1);
		assertThat(this.measures.all.delivering.getTotalCount()).as("a replay has no latency").isZero();
		this.feed.event(event(15, 12));
		assertThat(this.measures.all.delivering.getTotalCount()).isEqualTo(1);
		assertThat(this.measures.all.delivered.sum()).isEqualTo(2);
	}

	@Test
	void findsAnEventThatIsMissingWithoutAWord() {
		this.feed.resume();
		this.feed.subscribed(10, true);
		this.feed.event(event(13, 12));
		assertThat(this.measures.all.count(Verdict.GAP)).isEqualTo(1);
	}

	@Test
	void knowsTheNewestMessageOutsideOfThreads() {
		this.feed.resume();
		this.feed.subscribed(10, true);
		assertThat(this.feed.newestMessage()).isZero();
		this.feed.event(event(11, 10));
		this.feed.event(Event.of("thread.posted", 12, 11, new LoadMessage("run", 12, 1).text(), "run"));
		this.feed.event(Event.of("message.edited", 13, 12, "edited", "run"));
		assertThat(this.feed.newestMessage()).isEqualTo(11);
		assertThat(this.measures.all.delivered.sum()).isEqualTo(3);
	}

	@Test
	void findsADuplicateAfterAReconnect() {
		this.feed.resume();
		this.feed.subscribed(10, true);
		this.feed.event(event(11, 10));
		assertThat(this.feed.resume()).isEqualTo(11);
		this.feed.subscribed(11, true);
		this.feed.event(event(11, 10));
		assertThat(this.measures.all.duplicates()).isEqualTo(1);
	}

	@Test
	void findsAMessageAtASecondPosition() {
		this.feed.resume();
		this.feed.subscribed(10, true);
		LoadMessage message = new LoadMessage("run", 1, System.nanoTime());
		this.feed.event(new Event(11, 10, message, false));
		this.feed.event(new Event(12, 11, message, false));
		assertThat(this.measures.all.duplicates()).isEqualTo(1);
	}

	@Test
	void fetchesAnAnnouncedGapBeforeItGoesOn() {
		this.feed.resume();
		this.feed.subscribed(10, true);
		assertThat(this.feed.gap(13)).isTrue();
		assertThat(this.feed.gap(13)).as("while it is fetched").isFalse();
		this.feed.event(event(14, 13));
		assertThat(this.feed.isLive()).isFalse();
		assertThat(this.feed.filled(List.of(event(10, 9), event(11, 10), event(13, 11)))).isTrue();
		this.feed.fetched(this.feed.connection());
		assertThat(this.feed.isLive()).isTrue();
		assertThat(this.feed.after()).isEqualTo(14);
		assertThat(this.measures.all.failures().values()).allMatch((count) -> count == 0);
	}

	@Test
	void ignoresTheEndOfAFetchOfAnEarlierConnection() {
		this.feed.resume();
		this.feed.subscribed(20, false);
		int before = this.feed.connection();
		this.feed.resume();
		this.feed.subscribed(20, false);
		this.feed.fetched(before);
		assertThat(this.feed.isLive()).isFalse();
	}

	@Test
	void beginsWithTheNewestPageWhenNoPositionIsKnown() {
		RoomFeed fresh = new RoomFeed(this.ledger, this.measures, null, 0);
		assertThat(fresh.resume()).isNull();
		assertThat(fresh.subscribed(30, true)).isTrue();
		fresh.restarted(30);
		fresh.fetched(fresh.connection());
		assertThat(fresh.isLive()).isTrue();
		fresh.event(event(30, 29));
		fresh.event(event(31, 30));
		assertThat(this.measures.all.failures().values()).allMatch((count) -> count == 0);
	}

	@Test
	void movesTheReadMarkerForwardOnly() {
		assertThat(this.feed.readAll()).isEqualTo(10);
		assertThat(this.feed.readAll()).isNull();
	}

	@Test
	void missesWhatOthersHaveReceived() {
		this.ledger.seen(1, 11);
		this.ledger.seen(2, 12);
		assertThat(this.feed.missing()).isEqualTo(2);
		this.feed.resume();
		this.feed.subscribed(10, true);
		this.feed.event(new Event(11, 10, new LoadMessage("run", 1, System.nanoTime()), false));
		assertThat(this.feed.missing()).isEqualTo(1);
	}

}
