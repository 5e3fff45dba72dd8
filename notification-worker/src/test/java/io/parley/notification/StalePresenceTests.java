package io.parley.notification;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;

import io.parley.notification.PushFixture.Chat;
import io.parley.store.push.PushLogEntry;
import io.parley.store.push.PushLogEntry.Outcome;
import io.parley.store.push.PushTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests servers that report the followers of a room late or no longer. */
@PushTest
class StalePresenceTests {

	private static final Duration LEASE = Duration.ofMinutes(1);

	private final PushFixture push;

	private final TaskDecider decider;

	private final Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);

	StalePresenceTests(PushFixture push, TaskDecider decider) {
		this.push = push;
		this.decider = decider;
	}

	@Test
	void treatsMessagesBeforeTheLastRenewalAsReceived() {
		Chat chat = this.push.room("anna", "bert");
		chat.follow("bert", this.now.minusSeconds(8), LEASE);
		assertThat(decide(chat, this.now.minusSeconds(10), null).entries()).extracting(PushLogEntry::outcome)
			.containsExactly(Outcome.RECEIVED);
	}

	@Test
	void waitsForAServerThatHasNotRenewedItsLeaseYet() {
		Chat chat = this.push.room("anna", "bert");
		chat.follow("bert", this.now.minusSeconds(8), LEASE);
		assertThat(decide(chat, this.now.minusSeconds(7), null).postponed()).singleElement()
			.satisfies((later) -> assertThat(later.waitsSince()).isEqualTo(this.now));
		Instant since = this.now.minusSeconds(14);
		assertThat(decide(chat, this.now.minusSeconds(7), since).postponed()).singleElement()
			.satisfies((later) -> assertThat(later.waitsSince()).isEqualTo(since));
	}

	@Test
	void notifiesFollowersWhenTheServerStaysSilent() {
		Chat chat = this.push.room("anna", "bert");
		chat.follow("bert", this.now.minusSeconds(8), LEASE);
		TaskDecisions decisions = decide(chat, this.now.minusSeconds(7), this.now.minusSeconds(15));
		assertThat(decisions.postponed()).isEmpty();
		assertThat(decisions.sends()).hasSize(1);
	}

	private TaskDecisions decide(Chat chat, Instant sentAt, @Nullable Instant waitsSince) {
		return this.decider.decide(List.of(new PushTask(chat.name("bert"), chat.id(), 1, 1, 1, 0, chat.name("anna"),
				"Hello", sentAt, this.now, this.now.plusSeconds(3_600), 0, Set.of(), 0, waitsSince)), this.now);
	}

}
